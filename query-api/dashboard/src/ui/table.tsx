// Rows of an answer, of which only those in sight are in the page: 100,000 rows scroll like ten.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Answer, NodeView, Value } from '../api/types';
import { asNode, isPath, isRelationship } from '../graph/rows';
import { nodeLink } from '../route';
import { count, Glyph, shortName, Site } from './parts';

const ROW = 32;
const SPARE = 8;

export function Rows({ answer }: { answer: Answer }) {
  const box = useRef<HTMLDivElement>(null);
  const [window_, setWindow] = useState<[number, number]>([0, 40]);
  const look = () => {
    const { scrollTop = 0, clientHeight = 400 } = box.current ?? {};
    const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const last = Math.min(answer.rows.length, Math.ceil((scrollTop + clientHeight) / ROW) + SPARE);
    setWindow((now) => (now[0] === first && now[1] === last ? now : [first, last]));
  };
  useLayoutEffect(look, [answer]);
  const [first, last] = window_;
  const widths = columnWidths(answer);
  const columns = `56px ${widths.map((width) => `minmax(${width}ch, 1fr)`).join(' ')}`;
  return (
    <div class="grid-scroll" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={`${count(answer.rows.length)} rows`}>
      <div class="grid" role="table" aria-rowcount={answer.rows.length + 1} aria-colcount={answer.columns.length + 1} aria-label="Rows of the answer">
        <div class="grid-head" role="rowgroup">
          <div class="grid-row" role="row" aria-rowindex={1} style={{ gridTemplateColumns: columns }}>
            <span role="columnheader" class="grid-number" aria-label="Row">
              #
            </span>
            {answer.columns.map((column, at) => (
              <span role="columnheader" key={at} title={answer.types[at]}>
                {column}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="grid-body" style={{ height: `${answer.rows.length * ROW}px` }}>
          {answer.rows.slice(first, last).map((row, at) => (
            <div
              key={first + at}
              class="grid-row"
              role="row"
              aria-rowindex={first + at + 2}
              style={{ gridTemplateColumns: columns, transform: `translateY(${(first + at) * ROW}px)` }}
            >
              <span role="cell" class="grid-number">
                {first + at + 1}
              </span>
              {answer.columns.map((column, c) => (
                <span role="cell" key={c} class={typeof row[c] === 'number' ? 'grid-value' : ''}>
                  <Cell value={row[c] ?? null} column={column} row={row} columns={answer.columns} />
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function Cell({ value, column, row, columns }: { value: Value; column: string; row: Value[]; columns: string[] }) {
  const node = asNode(value);
  if (node) {
    return (
      <>
        <Glyph label={node.label} /> <a href={nodeLink(node)}>{shortName(node)}</a>
      </>
    );
  }
  if (value === null) return <span class="faint">null</span>;
  const text = plain(value);
  // A column that names a file leads into the source, at the line beside it.
  if (typeof value === 'string' && /(^|\.)file$/.test(column) && value) {
    const line = row[columns.indexOf(column.replace(/file$/, 'line'))];
    return <Site file={value} line={typeof line === 'number' ? line : 1}>{value}</Site>;
  }
  return <span title={text.length > 40 ? text : undefined}>{text}</span>;
}

/** A value on one line. */
export function plain(value: Value): string {
  const node = asNode(value);
  if (node) return `:${node.label} ${node.qualified_name || node.name}`;
  if (isRelationship(value)) return `[:${(value as { type: string }).type}]`;
  if (isPath(value)) {
    const path = value as { nodes: Value[]; relationships: { type: string }[] };
    return path.nodes.map((node, at) => (at ? `-[:${path.relationships[at - 1]?.type}]- ` : '') + (asNode(node)?.name ?? '…')).join(' ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function columnWidths(answer: Answer): number[] {
  const sample = answer.rows.slice(0, 60);
  return answer.columns.map((column, at) => {
    const width = (value: Value) => (asNode(value) ? shortName(asNode(value) as NodeView).length + 4 : plain(value).length);
    const longest = sample.reduce((most, row) => Math.max(most, width(row[at] ?? null)), column.length);
    // Room for the padding of the cell.
    return Math.min(52, Math.max(6, longest) + 4);
  });
}
