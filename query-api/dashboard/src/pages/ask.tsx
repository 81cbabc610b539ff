import { Head } from '../ui/parts';
export function Ask() { return <Head title="Ask" />; }
