// Markdown of an answer as elements. Nothing in it is taken as HTML, and the only links it can hold lead to a place in the
// source; the address of any other link is written out as text.

import { type Token, type Tokens, marked } from 'marked';
import type { ComponentChildren } from 'preact';
import type { Citation } from '../api/types';
import { Code } from './code';
import { Site } from './parts';

export function Markdown({ text, citations = [] }: { text: string; citations?: Citation[] }) {
  return <div class="prose">{blocks(marked.lexer(text), citations)}</div>;
}

/** `pipeline/model.py:12` as file and line; null for anything that leads elsewhere. */
export function siteOf(href: string): { file: string; line: number } | null {
  const found = /^(?!\/\/)([^:?#\s]+):(\d+)(?:-\d+)?$/.exec(safeDecode(href));
  return found ? { file: found[1] as string, line: Number(found[2]) } : null;
}

function blocks(tokens: Token[], citations: Citation[]): ComponentChildren {
  return tokens.map((token) => block(token, citations));
}

function block(token: Token, citations: Citation[]): ComponentChildren {
  const inner = (tokens?: Token[]) => inline(tokens ?? [], citations);
  switch (token.type) {
    case 'space':
      return null;
    case 'heading': {
      const depth = Math.min(6, (token as Tokens.Heading).depth + 2);
      const Tag = `h${depth}` as 'h3';
      return <Tag>{inner(token.tokens)}</Tag>;
    }
    case 'paragraph':
      return <p>{inner(token.tokens)}</p>;
    case 'text':
      return token.tokens ? inner(token.tokens) : entities((token as Tokens.Text).text);
    case 'code':
      return <Code text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ''} numbers={false} label="code" />;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], citations)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list': {
      const list = token as Tokens.List;
      const items = list.items.map((item) => <li>{blocks(item.tokens, citations)}</li>);
      return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table': {
      const table = token as Tokens.Table;
      return (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="table">
          <table class="rows">
            <thead>
              <tr>{table.header.map((cell) => <th scope="col">{inner(cell.tokens)}</th>)}</tr>
            </thead>
            <tbody>{table.rows.map((row) => <tr>{row.map((cell) => <td>{inner(cell.tokens)}</td>)}</tr>)}</tbody>
          </table>
        </div>
      );
    }
    // `html` and whatever else there is: as it was written.
    default:
      return <p>{token.raw}</p>;
  }
}

function inline(tokens: Token[], citations: Citation[]): ComponentChildren {
  return tokens.map((token) => {
    const inner = () => inline('tokens' in token ? (token.tokens ?? []) : [], citations);
    switch (token.type) {
      // Underscores belong to names here: `Model.__init__` is no `Model.` with a bold word behind it.
      case 'strong':
        return token.raw.startsWith('_') ? <>__{inner()}__</> : <strong>{inner()}</strong>;
      case 'em':
        return token.raw.startsWith('_') ? <>_{inner()}_</> : <em>{inner()}</em>;
      case 'del':
        return <del>{inner()}</del>;
      case 'codespan':
        return <code>{entities((token as Tokens.Codespan).text)}</code>;
      case 'br':
        return <br />;
      case 'escape':
        return (token as Tokens.Escape).text;
      case 'link':
        return cited(token as Tokens.Link, inner(), citations);
      case 'text':
        return (token as Tokens.Text).tokens ? inline((token as Tokens.Text).tokens ?? [], citations) : entities((token as Tokens.Text).text);
      default:
        return token.raw;
    }
  });
}

function cited(link: Tokens.Link, words: ComponentChildren, citations: Citation[]): ComponentChildren {
  const site = siteOf(link.href);
  if (!site) {
    return link.text === link.href ? link.href : <>{words} ({link.href})</>;
  }
  const citation = citations.find((c) => c.file === site.file && c.line === site.line && (c.symbol === link.text.replaceAll('`', '') || !link.text));
  const doubtful = citation ? !citation.verified : false;
  return (
    <span class={doubtful ? 'cite doubtful' : 'cite'}>
      <Site {...site}>{words}</Site>
      {doubtful && <span class="tag warn" title="This could not be found in the graph">not verified</span>}
    </span>
  );
}

/** The lexer leaves the five characters of HTML written as entities. */
function entities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '');
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
