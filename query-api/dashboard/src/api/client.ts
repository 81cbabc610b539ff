// Every question to the server goes through here: token, time limit, errors with an address.
//
//   await call<Answer>('POST', 'cypher', { query: 'RETURN 1' })

import { signal } from '@preact/signals';
import type {
  Answer, Communities, Examples, Excerpt, Failure, Feedback, FeedbackStored, Generations, History, ImpactReport, ImpactRequest, OperationAnswer, Operations,
  Question, Schema, SearchAnswer, SearchRequest, Status,
} from './types';

/** What went wrong, in the server's words where it has any. */
export class Trouble extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 0,
    readonly span?: { start: number; end: number },
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Set when the server wants a token that it was not sent. */
export const locked = signal<null | 'missing' | 'wrong'>(null);

const KEY = 'ripple.token';

export function token(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

export function setToken(value: string): void {
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
}

// The page lives one folder below the server's root, wherever that is.
const ROOT = new URL('../', document.baseURI);

export interface Options {
  signal?: AbortSignal | undefined;
  /** Milliseconds; a question without an answer by then is given up. */
  patience?: number;
  accept?: string;
}

/** A response whose status is good; else a `Trouble`. */
export async function request(method: string, path: string, body?: unknown, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: options.accept ?? 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token()) headers.authorization = `Bearer ${token()}`;
  const patience = AbortSignal.timeout(options.patience ?? 60_000);
  const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
  const init: RequestInit = { method, headers, signal, credentials: 'omit' };
  if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(new URL(`api/v1/${path}`, ROOT), init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    if (patience.aborted) throw new Trouble('timeout', 'The server did not answer in time.', 0, undefined, 'Narrow the question, or try again.');
    throw new Trouble('unreachable', 'The server cannot be reached.', 0, undefined, 'Is `ripple serve` still running? The page stays as it is; try again when it is back.');
  }
  if (response.ok) return response;
  const trouble = await troubleOf(response);
  if (response.status === 401) locked.value = token() ? 'wrong' : 'missing';
  throw trouble;
}

async function troubleOf(response: Response): Promise<Trouble> {
  try {
    const { error } = (await response.json()) as Failure;
    return new Trouble(error.code, error.message, response.status, error.span ?? undefined, error.hint ?? undefined);
  } catch {
    return new Trouble('http', `The server answered with status ${response.status}.`, response.status);
  }
}

export async function call<T>(method: string, path: string, body?: unknown, options?: Options): Promise<T> {
  const response = await request(method, path, body, options);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new Trouble('cut', 'The answer broke off before its end.');
  }
}

const query = (values: Record<string, string | number | boolean | undefined>) => {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return known.length ? `?${new URLSearchParams(known.map(([key, value]) => [key, String(value)]))}` : '';
};

/** One function a door. */
export const api = {
  cypher: (text: string, params: Record<string, unknown> = {}, limits: { limit?: number; timeout_ms?: number } = {}, options?: Options) =>
    call<Answer>('POST', 'cypher', { query: text, params: params as Question['params'], ...limits } satisfies Question, options),
  schema: (options?: Options) => call<Schema>('GET', 'schema', undefined, options),
  status: (files: boolean, workTree: boolean, options?: Options) =>
    call<Status>('GET', `status${query({ files: files || undefined, work_tree: workTree || undefined })}`, undefined, options),
  operations: (options?: Options) => call<Operations>('GET', 'operations', undefined, options),
  operation: (name: string, parameters: Record<string, unknown>, options?: Options) =>
    call<OperationAnswer>('POST', `operations/${encodeURIComponent(name)}`, parameters, options),
  search: (body: SearchRequest, options?: Options) => call<SearchAnswer>('POST', 'search', body, options),
  impact: (body: ImpactRequest, options?: Options) => call<ImpactReport>('POST', 'impact', body, options),
  feedback: (question: string, node: number, vote: 1 | -1) => call<FeedbackStored>('POST', 'feedback', { question, node, vote } satisfies Feedback),
  source: (file: string, from: number, to: number, options?: Options) => call<Excerpt>('GET', `source${query({ file, from, to })}`, undefined, options),
  history: (file: string, from: number, to: number, options?: Options) =>
    call<History>('GET', `history${query({ file, from, to })}`, undefined, options),
  communities: (options?: Options) => call<Communities>('GET', 'communities', undefined, options),
  generations: (options?: Options) => call<Generations>('GET', 'generations', undefined, options),
  examples: (options?: Options) => call<Examples>('GET', 'examples', undefined, options),
};
