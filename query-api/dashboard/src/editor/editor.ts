// The Cypher editor: CodeMirror in a shadow root. There it adds its styles as constructed style sheets; in the document
// itself it would add a <style> element, which the Content-Security-Policy of this page does not let in.

import { autocompletion, type CompletionContext, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { cypher } from '@codemirror/legacy-modes/mode/cypher';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Schema } from '../api/types';
import type { Range } from '../ui/span';
import { suggest } from './complete';

export interface Editor {
  text: () => string;
  setText: (text: string) => void;
  /** Draws a line under the characters that an error is about. */
  mark: (range: Range | null, message: string) => void;
  replace: (range: Range, text: string) => void;
  focus: () => void;
  destroy: () => void;
}

export interface EditorOptions {
  host: HTMLElement;
  text: string;
  schema: () => Schema | null;
  onRun: () => void;
  onChange: (text: string) => void;
}

export function editor({ host, text, schema, onRun, onChange }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const complete = (context: CompletionContext) => {
    const found = suggest(context.state.sliceDoc(0, context.pos), schema());
    if (!found || (found.from === context.pos && !context.explicit && !/[:.{|[]\s*$/.test(context.state.sliceDoc(0, context.pos)))) return null;
    return { from: found.from, options: found.options, validFor: /^[\w$']*$/ };
  };
  const view = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        StreamLanguage.define(cypher),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [complete], icons: false }),
        placeholder('MATCH (f:Function) RETURN f.qualified_name LIMIT 10'),
        keymap.of([
          { key: 'Mod-Enter', run: () => (onRun(), true) },
          // Tab leaves the editor, so that the keyboard is not caught in it.
          ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap,
        ]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Cypher query', spellcheck: 'false', autocapitalize: 'off' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        LOOK,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (range, message) => {
      const length = view.state.doc.length;
      const list: Diagnostic[] = range ? [{ from: Math.min(range.from, length), to: Math.min(range.to, length), severity: 'error', message }] : [];
      view.dispatch(setDiagnostics(view.state, list));
    },
    replace: (range, text) => view.dispatch({ changes: { ...range, insert: text } }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--tok-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--tok-string)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--tok-number)' },
  { tag: tags.comment, color: 'var(--tok-comment)', fontStyle: 'italic' },
  { tag: [tags.variableName, tags.definition(tags.variableName), tags.standard(tags.variableName)], color: 'var(--tok-name)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '13.5px', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 14px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--wash-strong)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--wash)', outline: '1px solid var(--line-strong)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '4px', backgroundColor: 'var(--bad-wash)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line-strong)', borderRadius: '8px', boxShadow: 'var(--shadow)', overflow: 'hidden' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '15em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--wash)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal', marginLeft: '1em' },
  '.cm-completionInfo': { padding: '8px 10px', maxWidth: '320px', fontSize: '12.5px', fontFamily: 'var(--sans)', lineHeight: '1.5' },
  '.cm-diagnostic': { padding: '6px 10px', fontSize: '12.5px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
});
