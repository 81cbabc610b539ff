import { expect, test } from 'vitest';
import { EventParser, events } from './sse';

const all = (...pieces: string[]) => {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

test('events, comments, data of several lines', () => {
  expect(all('event: stage\ndata: {"a":1}\n\n: ping\n\ndata: x\ndata: y\n\n')).toEqual([
    { event: 'stage', data: '{"a":1}' },
    { event: 'message', data: 'x\ny' },
  ]);
});

test('any cut gives the same events', () => {
  const text = '\ufeffevent: token\r\ndata: {"text":"é\u{1f30a}"}\r\n\r\nid: 7\rretry: 10\rdata:no blank\r\rdata\n\n';
  const whole = all(text);
  expect(whole).toEqual([
    { event: 'token', data: '{"text":"é\u{1f30a}"}' },
    { event: 'message', data: 'no blank' },
    { event: 'message', data: '' },
  ]);
  for (let at = 0; at <= text.length; at += 1) expect(all(text.slice(0, at), text.slice(at))).toEqual(whole);
  expect(all(...text)).toEqual(whole);
});

test('an event without its empty line is not given', () => {
  expect(all('event: answer\ndata: {"half":')).toEqual([]);
});

test('an event name holds for one event only', () => {
  expect(all('event: a\n\ndata: 1\n\n')).toEqual([{ event: 'message', data: '1' }]);
});

test('bytes that split a character', async () => {
  const bytes = new TextEncoder().encode('data: é🌊\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const found = [];
  for await (const event of events(body)) found.push(event.data);
  expect(found).toEqual(['é🌊']);
});
