const westernLetters = /^[àâäáãçèéêëîïíìñôöóòõùûüúßæøåœÀÂÄÁÇÈÉÊËÎÏÍÑÔÖÓÙÛÜÚÆØÅŒ¿¡«»‘’“”…–—°·]+$/u;

/** A subtitle file's bytes as text: by its mark, as UTF-8, else in the one of the old encodings that its bytes look like. */
export function decodeText(bytes: Uint8Array): { text: string; warning: string | null } {
  const marked = encodingByMark(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), warning: null };
  const utf8 = tryDecode('utf-8', bytes);
  if (utf8 !== undefined) return { text: utf8, warning: null };
  const guessed = guessEncoding(bytes);
  const text = guessed && tryDecode(guessed, bytes);
  if (text) return { text, warning: `read as ${guessed}` };
  return { text: new TextDecoder('utf-8').decode(bytes), warning: 'some letters could not be read' };
}

/** The same for what is written by programs of today: by its mark, else UTF-8, with a sign in the place of what is broken. */
export function decodeUnicode(bytes: Uint8Array): string {
  return new TextDecoder(encodingByMark(bytes) ?? 'utf-8').decode(bytes);
}

function encodingByMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

const sampleBytes = 256 * 1024;

/** Japanese uses bytes that the others leave alone; Cyrillic comes in whole words of high bytes; Western accents come one by one. */
function guessEncoding(bytes: Uint8Array): string | undefined {
  const runs = [
    ...Buffer.from(bytes.subarray(0, sampleBytes))
      .toString('latin1')
      .matchAll(/[\x80-\xff]+/g),
  ].map(([run]) => run);
  const high = runs.join('');
  const japanese = tryDecode('shift_jis', bytes);
  if (japanese && /[\x81-\x9f]/.test(high) && /[\u3040-\u30ff\u4e00-\u9fff]/u.test(japanese)) return 'shift_jis';
  const western = new TextDecoder('windows-1252').decode(Buffer.from(high, 'latin1'));
  if (westernLetters.test(western) && runs.every((run) => run.length <= 2)) return 'windows-1252';
  const letters = [...high].filter((byte) => byte >= '\xc0').length;
  if (letters / high.length > 0.8 && runs.some((run) => run.length > 2)) return 'windows-1251';
  return undefined;
}

function tryDecode(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
