// A longer text in an address: deflated, in the letters that an address may hold.

export async function pack(text: string): Promise<string> {
  const bytes = new Uint8Array(await through(new Blob([text]), new CompressionStream('deflate-raw')));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream('deflate-raw')));
}

const through = (blob: Blob, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> =>
  new Response(blob.stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>)).arrayBuffer();
