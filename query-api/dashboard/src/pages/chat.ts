// The conversation: turns, kept in the page and nowhere else. The server keeps none of it.

import { signal } from '@preact/signals';
import { type AskEvent, ask } from '../api/ask';
import type { Trouble } from '../api/client';
import type { AskAnswer, BoundQuery, Citation, TraceStep, Verdict } from '../api/types';
import { asTrouble } from '../ui/load';

export interface Turn {
  id: number;
  question: string;
  stages: TraceStep[];
  cypher: BoundQuery[];
  text: string;
  citations: Citation[];
  verdict: Verdict | null;
  answer: AskAnswer | null;
  error: Trouble | null;
  stopped: boolean;
  vote: 0 | 1 | -1;
}

export const turns = signal<Turn[]>([]);
export const busy = signal(false);

let stopper: AbortController | null = null;
let last = 0;

export const stop = (): void => stopper?.abort();

export function clear(): void {
  stop();
  turns.value = [];
}

export function change(id: number, change: Partial<Turn>): void {
  turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...change } : turn));
}

/** Asks, and lets the turn grow as events come; drawn once a frame, however fast they come. */
export async function say(question: string): Promise<void> {
  stop();
  const mine = new AbortController();
  stopper = mine;
  const before = turns.value.filter((turn) => turn.answer);
  last += 1;
  const turn: Turn = { id: last, question, stages: [], cypher: [], text: '', citations: [], verdict: null, answer: null, error: null, stopped: false, vote: 0 };
  turns.value = [...turns.value, turn];
  busy.value = true;
  let frame = 0;
  const show = () => {
    frame = 0;
    change(turn.id, { ...turn, stages: [...turn.stages] });
  };
  try {
    const body = {
      question,
      history: before.flatMap((turn) => [{ role: 'user' as const, content: turn.question }, { role: 'assistant' as const, content: turn.answer?.text ?? '' }]).slice(-12),
      context: before.at(-1)?.answer?.context,
    };
    for await (const event of ask(body, mine.signal)) {
      take(turn, event);
      frame ||= requestAnimationFrame(show);
    }
  } catch (error) {
    if (mine.signal.aborted) turn.stopped = true;
    else turn.error = asTrouble(error);
  }
  cancelAnimationFrame(frame);
  show();
  if (stopper === mine) busy.value = false;
}

/** Why the model's part is missing from an answer, in the server's words; empty if it is not. */
export const failedModel = (steps: TraceStep[]): string => steps.map((step) => /^the language model did not help: (.*)$/s.exec(step.detail)?.[1] ?? '').find(Boolean) ?? '';

/** What an event adds to a turn. */
export function take(turn: Turn, { event, data }: AskEvent): void {
  if (event === 'stage') {
    // Its end takes the place of its beginning.
    const began = turn.stages.at(-1);
    if (began?.stage === data.stage && began.ms === 0) turn.stages.pop();
    turn.stages.push(data);
    // What a model said before it failed is not part of the report that stands in for it.
    if (failedModel([data])) turn.text = '';
  }
  else if (event === 'cypher') turn.cypher = [...turn.cypher, data];
  else if (event === 'token') turn.text += data.text;
  else if (event === 'citations') turn.citations = data;
  else if (event === 'verdict') turn.verdict = data;
  else if (event === 'answer') {
    turn.answer = data;
    turn.text = data.text;
    turn.citations = data.citations;
    turn.verdict = data.verdict;
    turn.cypher = data.cypher;
  }
}
