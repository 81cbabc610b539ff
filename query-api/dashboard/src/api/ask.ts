// One question and the events of its answer.
//
//   for await (const event of ask({ question: 'Who calls main?' }, signal)) …

import { Trouble, request } from './client';
import { events } from './sse';
import type { Answer, AskAnswer, AskRequest, BoundQuery, Citation, Failure, SeedView, TraceStep, Verdict, Way } from './types';

export type AskEvent =
  | { event: 'stage'; data: TraceStep }
  | { event: 'seeds'; data: SeedView[] }
  | { event: 'cypher'; data: BoundQuery & { way: Way } }
  | { event: 'rows'; data: Answer }
  | { event: 'token'; data: { text: string } }
  | { event: 'citations'; data: Citation[] }
  | { event: 'verdict'; data: Verdict }
  | { event: 'answer'; data: AskAnswer };

export type AskBody = Omit<AskRequest, 'stream'>;

/** Ends after `answer`; throws a `Trouble` if the server says `error` or goes away before. */
export async function* ask(body: AskBody, signal: AbortSignal): AsyncGenerator<AskEvent> {
  const response = await request('POST', 'ask', { ...body, stream: true }, { signal, accept: 'text/event-stream, application/json;q=0.5', patience: 300_000 });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield { event: 'answer', data: (await response.json()) as AskAnswer };
    return;
  }
  if (response.body) {
    try {
      for await (const { event, data } of events(response.body)) {
        const value: unknown = parsed(data);
        if (value === undefined) continue;
        if (event === 'error') {
          const { error } = value as Failure;
          throw new Trouble(error.code, error.message, 200, error.span ?? undefined, error.hint ?? undefined);
        }
        yield { event, data: value } as AskEvent;
        if (event === 'answer') return;
      }
    } catch (error) {
      if (signal.aborted || error instanceof Trouble) throw error;
      throw new Trouble('cut', 'The connection was lost in the middle of the answer.');
    }
  }
  throw new Trouble('cut', 'The answer broke off before its end.');
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
