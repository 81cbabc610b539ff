// Source text with line numbers. Every character of it becomes a text node, whatever it looks like.

import { useEffect, useRef, useState } from 'preact/hooks';
import { highlight, type Lines, plainLines } from './highlight';

interface Props {
  text: string;
  language: string;
  /** Number of the first line. */
  first?: number;
  /** Lines to mark, by number. */
  marked?: [number, number] | undefined;
  numbers?: boolean;
  label: string;
  onLine?: (line: number) => void;
}

export function Code({ text, language, first = 1, marked, numbers = true, label, onLine }: Props) {
  const [lines, setLines] = useState<Lines>(() => plainLines(text));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let late = false;
    setLines(plainLines(text));
    highlight(text, language).then(
      (lines) => late || setLines(lines),
      () => {},
    );
    return () => {
      late = true;
    };
  }, [text, language]);
  useEffect(() => {
    const target = marked && box.current?.querySelector<HTMLElement>(`[data-line="${marked[0]}"]`);
    if (target && box.current) box.current.scrollTop = target.offsetTop - box.current.clientHeight / 3;
  }, [text, marked?.[0]]);
  const isMarked = (line: number) => marked !== undefined && line >= marked[0] && line <= marked[1];
  return (
    <div class="code" role="region" aria-label={label} tabIndex={0} ref={box}>
      <pre class={numbers ? 'numbered' : ''}>
        {lines.map((pieces, at) => {
          const line = first + at;
          return (
            <code key={line} class={isMarked(line) ? 'line marked' : 'line'} data-line={line} onClick={onLine && (() => onLine(line))}>
              {pieces.map((piece) => (piece.kind ? <span class={piece.kind}>{piece.text}</span> : piece.text))}
              {'\n'}
            </code>
          );
        })}
      </pre>
    </div>
  );
}
