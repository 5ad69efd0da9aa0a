/** The same bytes in pieces of one length, but for the last. Where the source breaks off, what it gave comes first, and then its error. */
export async function* regroup(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let broken: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      waiting.push(chunk);
      size += chunk.length;
      if (size < length) continue;
      let joined = Buffer.concat(waiting);
      for (; joined.length >= length; joined = joined.subarray(length)) yield joined.subarray(0, length);
      waiting = [joined];
      size = joined.length;
    }
  } catch (error) {
    broken = { error };
  }
  if (size > 0) yield Buffer.concat(waiting);
  if (broken) throw broken.error;
}
