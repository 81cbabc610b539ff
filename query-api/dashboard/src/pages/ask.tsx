// Questions in words: `#/ask?q=…` asks at once. The answer's words stand beside the picture of its ripple.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { AskAnswer } from '../api/types';
import { link, place, setQuery } from '../route';
import { Icon } from '../ui/icons';
import { lazy } from '../ui/lazy';
import { asTrouble, useLoad } from '../ui/load';
import { Markdown } from '../ui/markdown';
import { Copy, Failed, NodeLine, Site, Ticked, VerdictBox, count } from '../ui/parts';
import { type Turn, busy, change, clear, failedModel, say, stop, turns } from './chat';
import '../style/ask.css';

const Picture = lazy(async () => (await import('../graph/answer-view')).AnswerGraph);
const Rows = lazy(async () => (await import('../ui/table')).Rows);

export function Ask() {
  const asked = place.value.query.q ?? '';
  const end = useRef<HTMLDivElement>(null);
  const all = turns.value;
  useEffect(() => {
    // A link to a question asks it, unless it stands here already: then it is shown, as after the back button.
    const there = turns.value.findLast((turn) => turn.question === asked);
    if (asked && !there) void say(asked);
    else if (there && there !== turns.value.at(-1)) document.getElementById(`turn-${there.id}`)?.scrollIntoView({ block: 'start' });
  }, [asked]);
  const newest = all.at(-1)?.id;
  useEffect(() => {
    if (all.length > 1) end.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  const send = (question: string) => {
    void say(question);
    setQuery({ q: question }, false);
  };
  return (
    <div class={all.length ? 'ask' : 'ask fresh-ask'}>
      {all.length === 0 ? (
        <Welcome onAsk={send} />
      ) : (
        <>
          <header class="ask-head">
            <h1 class="visually-hidden">Ask</h1>
            <button
              type="button"
              class="button small quiet"
              onClick={() => {
                clear();
                setQuery({ q: null }, false);
              }}
            >
              <Icon name="plus" size={16} />
              New conversation
            </button>
          </header>
          <ol class="turns">
            {all.map((turn) => (
              <li key={turn.id} id={`turn-${turn.id}`} ref={turn.id === newest ? (end as never) : undefined}>
                <TurnView turn={turn} running={busy.value && turn.id === newest} onRetry={() => send(turn.question)} />
              </li>
            ))}
          </ol>
        </>
      )}
      <Composer onAsk={send} />
    </div>
  );
}

function Welcome({ onAsk }: { onAsk: (question: string) => void }) {
  const examples = useLoad('examples', (signal) => api.examples({ signal }));
  return (
    <div class="welcome">
      <h1>What does this value touch?</h1>
      <p class="lead">Ask about the code in words. The answer names places in the source, and shows the way the value takes.</p>
      {examples.error ? (
        <Failed error={examples.error} retry={examples.reload} />
      ) : (
        <ul class="examples" aria-label="Questions about this code">
          {examples.data?.questions.slice(0, 6).map((question) => (
            <li key={question}>
              <button type="button" onClick={() => onAsk(question)}>
                <span><Ticked text={question} /></span>
                <Icon name="right" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Composer({ onAsk }: { onAsk: (question: string) => void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    const question = text.trim();
    if (!question || busy.value) return;
    setText('');
    onAsk(question);
  };
  const codebase = () => {
    if (!text.includes('@codebase')) setText(`@codebase ${text}`);
    field.current?.focus();
  };
  return (
    <form class="composer-foot" onSubmit={(event) => (event.preventDefault(), send())}>
      <div class="composer">
      <label class="visually-hidden" for="question">
        Question
      </label>
      <textarea
        id="question"
        data-first
        ref={field}
        rows={2}
        placeholder={turns.value.length ? 'Ask on' : 'If a client stops sending this field, what changes?'}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            send();
          }
        }}
      />
      <div class="composer-bar">
        <button type="button" class="button small quiet mono" onClick={codebase} title="Look the code up afresh, instead of going on from the last answer">
          @codebase
        </button>
        <span class="faint composer-hint">Enter asks, Shift Enter makes a new line</span>
        {busy.value ? (
          <button type="button" class="button small" onClick={stop}>
            <Icon name="stop" size={16} />
            Stop
          </button>
        ) : (
          <button type="submit" class="button small primary" disabled={!text.trim()}>
            Ask
            <Icon name="send" size={16} />
          </button>
        )}
      </div>
      </div>
    </form>
  );
}

function TurnView({ turn, running, onRetry }: { turn: Turn; running: boolean; onRetry: () => void }) {
  const { answer } = turn;
  const drawn = answer?.operation && answer.operation.edges.length > 0 ? answer.operation : null;
  const rows = answer?.rows && answer.rows.rows.length > 0 ? answer.rows : null;
  const lost = answer ? failedModel(answer.trace) : '';
  // The place beside the words is kept from the first moment on, so that nothing moves when the picture comes.
  const beside = running || drawn !== null;
  return (
    <article class="turn" aria-busy={running}>
      <h2 class="question"><Ticked text={turn.question} /></h2>
      <div class={beside ? 'turn-body with-picture' : 'turn-body'}>
        <div class="words">
          {lost && (
            <p class="notice">
              <Icon name="warn" size={16} />
              <span>The language model failed, so this is the report itself. <span class="soft">{lost}</span></span>
            </p>
          )}
          {turn.text && <Markdown text={withoutVerdict(turn.text, turn.verdict !== null)} citations={turn.citations} />}
          {running && turn.text && <span class="writing" aria-hidden="true" />}
          {turn.error && <Failed error={turn.error} retry={onRetry} />}
          {turn.stopped && <p class="soft">Stopped. <button type="button" class="link-button" onClick={onRetry}>Ask it again</button></p>}
          {turn.verdict && <VerdictBox verdict={turn.verdict} />}
          {rows && (
            <details class="used">
              <summary>Rows of the query <span class="count">{count(rows.rows.length)}</span></summary>
              <Rows answer={rows} />
            </details>
          )}
          {answer && <Basis turn={turn} answer={answer} />}
        </div>
        {drawn ? <Picture answer={drawn} /> : running && <Stages stages={turn.stages} />}
      </div>
    </article>
  );
}

/** A report closes with its verdict, which stands in a box of its own here. */
const withoutVerdict = (text: string, shown: boolean): string => (shown ? text.replace(/\n+\*Verdict: [^\n]*\*\s*$/, '') : text);

const STAGES: Record<string, string> = {
  retrieve: 'Finding what the question names', template: 'Following the values', text2cypher: 'Writing a query', patterns: 'Looking for shapes in the source', summarise: 'Reading the parts of the code', run: 'Running the query',
  repair: 'Mending the query', answer: 'Writing the answer', verify: 'Checking every place that is named',
};

const stageName = (stage: string) => STAGES[stage] ?? stage;

/** What is being done, and what came of what was done, where the picture will stand. */
function Stages({ stages }: { stages: Turn['stages'] }) {
  const now = stages.at(-1);
  return (
    <div class="waiting">
      <span class="ripples" aria-hidden="true"><i /><i /><i /></span>
      <ol class="stages" aria-live="polite" aria-label="What is being done">
        {stages.length === 0 && <li class="now">Asking</li>}
        {stages.map((stage, at) => (
          <li key={at} class={stage === now ? 'now' : ''}>
            {stageName(stage.stage)} {stage.detail !== '…' && <span class="faint">{stage.detail}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

const WAYS: Record<AskAnswer['way'], string> = {
  template: 'by a fixed query for this kind of question',
  text2cypher: 'by a query that the model wrote',
  repaired: 'by a query that the model wrote and mended once',
  source: 'from the source alone',
  communities: 'from summaries of the parts of the code',
};

/** What the answer stands on: places, queries, stages; and whether it was any good. */
function Basis({ turn, answer }: { turn: Turn; answer: AskAnswer }) {
  const [failed, setFailed] = useState('');
  const nodes = [...new Set([...answer.citations.flatMap((c) => c.node ?? []), ...answer.seeds.map((seed) => seed.node.id)])].slice(0, 8);
  const vote = async (vote: 1 | -1) => {
    setFailed('');
    change(turn.id, { vote });
    // Some of what is named may be of a kind that searches do not find; it takes no votes.
    const told = await Promise.allSettled(nodes.map((node) => api.feedback(turn.question, node, vote)));
    const lost = told.find((one) => one.status === 'rejected');
    if (told.some((one) => one.status === 'fulfilled') || !lost) return;
    change(turn.id, { vote: turn.vote });
    setFailed(`It was not stored: ${asTrouble(lost.reason).message}`);
  };
  const lost = failedModel(answer.trace);
  const places = unique(answer.citations);
  return (
    <footer class="basis">
      <p class="faint">
        Answered {WAYS[answer.way]}
        {answer.model ? ` and put into words by ${answer.model}` : lost ? '' : ', without a language model'}. {count(answer.verified)} {answer.verified === 1 ? 'place' : 'places'} checked against the graph
        {answer.unverified > 0 && <span class="doubt">, {count(answer.unverified)} could not be found there</span>}.
      </p>
      {places.length > 0 && (
        <details class="used">
          <summary>Places <span class="count">{places.length}</span></summary>
          <ul class="places">
            {places.map((citation) => (
              <li key={`${citation.symbol}${citation.file}${citation.line}`}>
                <Site file={citation.file} line={citation.line} /> <span>{citation.symbol}</span>
                {!citation.verified && <span class="tag warn">not verified</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
      {turn.cypher.length > 0 && (
        <details class="used">
          <summary>Cypher <span class="count">{turn.cypher.length}</span></summary>
          {turn.cypher.map((query, at) => (
            <div key={at} class="used-query">
              <pre tabIndex={0}>{query.text}</pre>
              <a href={link('console', { query: query.text, params: Object.keys(query.params ?? {}).length ? JSON.stringify(query.params) : null, run: 1 })}>Open in the console</a>
            </div>
          ))}
        </details>
      )}
      {answer.trace.length > 0 && (
        <details class="used">
          <summary>How it was found <span class="count">{Math.round(answer.trace.reduce((sum, stage) => sum + stage.ms, 0))} ms</span></summary>
          <ol class="trace">
            {answer.trace.map((stage, at) => (
              <li key={at}>
                <span>{stageName(stage.stage)}</span> <span class="soft">{stage.detail}</span> <span class="count">{stage.ms.toFixed(0)} ms</span>
              </li>
            ))}
          </ol>
          {answer.seeds.length > 0 && <h3>Began at</h3>}
          <ul>{answer.seeds.slice(0, 8).map((seed) => <li key={seed.node.id}><NodeLine node={seed.node} /></li>)}</ul>
          {answer.usage.calls > 0 && <p class="faint">{count(answer.usage.calls)} calls of the model, {count(answer.usage.prompt_tokens)} tokens in, {count(answer.usage.completion_tokens)} out</p>}
        </details>
      )}
      <div class="basis-tools">
        <Copy text={() => answer.text} label="Copy the answer" />
        {nodes.length > 0 && (
          <>
            <button type="button" class="button icon-only quiet" aria-label="This helped" aria-pressed={turn.vote === 1} onClick={() => void vote(1)}>
              <Icon name="up" />
            </button>
            <button type="button" class="button icon-only quiet" aria-label="This did not help" aria-pressed={turn.vote === -1} onClick={() => void vote(-1)}>
              <Icon name="down" />
            </button>
            <span class="faint" role="status">
              {failed || (turn.vote ? 'Thank you: later searches take it into account.' : '')}
            </span>
          </>
        )}
      </div>
    </footer>
  );
}

function unique(citations: AskAnswer['citations']): AskAnswer['citations'] {
  const seen = new Set<string>();
  return citations.filter((c) => {
    const key = `${c.symbol}\n${c.file}\n${c.line}`;
    return !seen.has(key) && seen.add(key);
  });
}
