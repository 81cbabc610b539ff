export function mock(options: { upstream: string; source: string; port?: number; token?: string | undefined }): Promise<{ url: string; close: () => Promise<void> }>;
