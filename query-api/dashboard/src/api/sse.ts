// Server-sent events out of a fetch: `EventSource` can neither POST nor send a token.
//
//   for await (const { event, data } of events(response.body)) …

export interface ServerEvent {
  event: string;
  data: string;
}

/** Takes text as it comes, in any pieces, and gives whole events. */
export class EventParser {
  private buffer = '';
  private event = '';
  private data: string[] = [];
  private started = false;

  push(text: string): ServerEvent[] {
    if (!this.started && text) {
      this.started = true;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    this.buffer += text;
    const found: ServerEvent[] = [];
    for (;;) {
      const end = this.buffer.search(/\r\n|\n|\r/);
      // A \r at the very end may be half of \r\n.
      if (end < 0 || (this.buffer[end] === '\r' && end === this.buffer.length - 1)) break;
      const line = this.buffer.slice(0, end);
      this.buffer = this.buffer.slice(end + (this.buffer.startsWith('\r\n', end) ? 2 : 1));
      const event = this.line(line);
      if (event) found.push(event);
    }
    return found;
  }

  private line(line: string): ServerEvent | null {
    if (line === '') {
      const event = this.data.length ? { event: this.event || 'message', data: this.data.join('\n') } : null;
      this.event = '';
      this.data = [];
      return event;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    return null;
  }
}

export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
