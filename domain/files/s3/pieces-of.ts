/** The same bytes in pieces of one length, but for the last; where they break off, what came before is handed over first, and then the error. */
export async function* piecesOf(from: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(length);
  let filled = 0;
  let broken: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of from) {
      for (let taken = 0; taken < chunk.length; ) {
        const copied = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).copy(piece, filled, taken);
        [taken, filled] = [taken + copied, filled + copied];
        if (filled < length) continue;
        yield piece;
        [piece, filled] = [Buffer.allocUnsafe(length), 0];
      }
    }
  } catch (error) {
    broken = { error };
  }
  if (filled > 0) yield piece.subarray(0, filled);
  if (broken) throw broken.error;
}
