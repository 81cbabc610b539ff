// The picture beside an answer's words: the ripple by file, and a way to its own page.

import { useMemo, useState } from 'preact/hooks';
import type { OperationAnswer } from '../api/types';
import { link } from '../route';
import { Canvas } from './canvas';
import { Details } from './details';
import { fitted } from './drawn';
import { graphOfAnswer, pathTo } from './from-answer';
import { PLAIN, opened, picture } from './picture';
import '../style/graph.css';

/** Places that can be read beside an answer; more are shown as files, to be opened. */
const FULL = 48;

/** Groups that can be read beside an answer. */
const GROUPS = 24;

/** Room for it, about: beside the words, or below them on a small screen. */
const BESIDE = { width: 540, height: 520 };
const BELOW = { width: 360, height: 420 };

export function AnswerGraph({ answer }: { answer: OperationAnswer }) {
  const [open, setOpen] = useState<Set<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const graph = useMemo(() => graphOfAnswer(answer), [answer]);
  const fold = graph.nodes.length > FULL ? true : null;
  const drawn = useMemo(() => fitted(picture(graph, { ...PLAIN, groupBy: 'file', fold, open, most: GROUPS }), innerWidth > 760 ? BESIDE : BELOW), [graph, open]);
  const shape = drawn.picture.shapes.find((shape) => shape.id === chosen) ?? null;
  const lit = useMemo(() => (shape?.node ? pathTo(answer, shape.node.id) : undefined), [answer, shape]);
  const { target, from, to, ...rest } = answer.parameters;
  const seed = answer.seeds[0];
  const address = link('ripple', {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)) as [string, string][]),
    op: answer.operation === 'impact' ? null : answer.operation,
    target: text(target) ?? seed?.id,
    name: text(target) === undefined || typeof target === 'number' ? seed?.name : null,
    from: text(from),
    to: text(to),
  });
  return (
    <figure class="answer-picture">
      <Canvas drawn={drawn} chosen={chosen} lit={lit} onChoose={setChosen} />
      <figcaption class="faint">
        {drawn.picture.passed} places from cause to effect{drawn.picture.collapsed && ', by file or folder'} <a href={address}>Open as a page</a>
      </figcaption>
      {shape && <Details shape={shape} drawn={drawn} onChoose={setChosen} onOpen={(group) => setOpen(opened(open, group))} onClose={() => setChosen(null)} />}
    </figure>
  );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
