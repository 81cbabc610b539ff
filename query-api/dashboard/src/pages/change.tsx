import { Head } from '../ui/parts';
export function Change() { return <Head title="Change" />; }
