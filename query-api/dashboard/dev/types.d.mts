export declare const FILE: string;
export declare function types(server: string): Promise<string>;
