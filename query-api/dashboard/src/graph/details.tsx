// What is known of the chosen shape: the node with its edges in the picture, or the group.

import type { NodeView } from '../api/types';
import { link } from '../route';
import { Icon } from '../ui/icons';
import { NodeLine, Site, count, openSource, percent } from '../ui/parts';
import type { Drawn } from './drawn';
import { type Line, type Shape, brief } from './picture';

interface Props {
  shape: Shape;
  drawn: Drawn;
  onChoose: (id: string) => void;
  onOpen: (group: string) => void;
  onExpand?: ((id: number) => void) | undefined;
  /** The nodes on the way to it, from the beginning. */
  way?: NodeView[] | undefined;
  onClose: () => void;
}

const SHOWN = 12;

export function Details({ shape, drawn, onChoose, onOpen, onExpand, way, onClose }: Props) {
  const { node } = shape;
  const into = drawn.picture.lines.filter((line) => line.to === shape.id);
  const out = drawn.picture.lines.filter((line) => line.from === shape.id);
  return (
    <section class="details" aria-label="What is chosen">
      <div class="details-head">
        {node ? <NodeLine node={node} /> : <strong>{shape.text}</strong>}
        <button type="button" class="button icon-only quiet" aria-label="Close" onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      </div>
      {node?.signature && <code class="signature">{node.signature}</code>}
      {node?.doc && <p class="soft details-doc">{node.doc}</p>}
      <div class="details-tools">
        {node ? (
          <>
            {node.file && (
              <button type="button" class="button small" onClick={() => openSource(node.file, node.line)}>
                Source
              </button>
            )}
            {onExpand && (
              <button type="button" class="button small" onClick={() => onExpand(node.id)}>
                Expand
              </button>
            )}
            <a class="button small" href={link('ripple', { target: node.id, name: node.name })}>
              Start here
            </a>
          </>
        ) : (
          <button type="button" class="button small primary" onClick={() => onOpen(shape.text)}>
            Open {count(shape.members)} members
          </button>
        )}
        {node && shape.box && drawn.picture.collapsed && (
          <button type="button" class="button small quiet" onClick={() => onOpen(`-${shape.box}`)}>
            Close the box
          </button>
        )}
      </div>
      {way && way.length > 1 && (
        <>
          <h3>The way to it</h3>
          <ol class="details-way">
            {way.map((step, at) => (
              <li key={at}>
                <span class="mono">{brief(step)}</span> {step.file && <Site file={step.file} line={step.line} />}
              </li>
            ))}
          </ol>
        </>
      )}
      <Lines title="Comes from" lines={into} other={(line) => line.from} drawn={drawn} onChoose={onChoose} />
      <Lines title="Goes to" lines={out} other={(line) => line.to} drawn={drawn} onChoose={onChoose} />
    </section>
  );
}

function Lines({ title, lines, other, drawn, onChoose }: { title: string; lines: Line[]; other: (line: Line) => string; drawn: Drawn; onChoose: (id: string) => void }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>
        {title} <span class="count">{count(lines.length)}</span>
      </h3>
      <ul class="details-lines">
        {lines.slice(0, SHOWN).map((line) => {
          const shape = drawn.picture.shapes.find((shape) => shape.id === other(line));
          const edge = line.edges[0];
          return (
            <li key={line.id}>
              <button type="button" class="link" onClick={() => onChoose(other(line))}>
                {shape?.text ?? '?'}
              </button>
              <span class="faint">
                {line.edges.length > 1 ? `${count(line.edges.length)} edges` : `${edge?.how || line.kind.toLowerCase().replaceAll('_', ' ')}, ${edge?.rule ? `${edge.rule} ` : ''}${percent(line.confidence)}`}
              </span>
              {edge?.file && line.edges.length === 1 && <Site file={edge.file} line={edge.line} />}
            </li>
          );
        })}
      </ul>
      {lines.length > SHOWN && <p class="faint">and {count(lines.length - SHOWN)} more</p>}
    </>
  );
}
