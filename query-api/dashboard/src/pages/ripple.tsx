import { Head } from '../ui/parts';
export function Ripple() { return <Head title="Ripple" />; }
