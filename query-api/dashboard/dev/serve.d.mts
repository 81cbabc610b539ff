export declare const POLICY: string;
export declare function front(upstream: string, port?: number): Promise<{ url: string; close: () => Promise<void> }>;
