/** Beginnings of files that are something else than footage, whatever their name says. */
const signatures: readonly { readonly what: string; readonly begins: RegExp }[] = [
  { what: 'a picture', begins: /^(\xff\xd8\xff|GIF8[79]a|\x89PNG|BM....\0\0|II\*\0|MM\0\*|RIFF....WEBP)/s },
  { what: 'an archive of files', begins: /^(PK[\x03\x05]|\x1f\x8b|BZh|7z\xbc\xaf|\xfd7zXZ|Rar!|\x28\xb5\x2f\xfd)/ },
  { what: 'a program', begins: /^(\x7fELF|MZ[^\0]|#!)/ },
  { what: 'a document', begins: /^(%PDF|\{\\rtf|SQLite format 3)/ },
  {
    what: 'a playlist or script that points to other files',
    begins: /^\s*(#EXTM3U|ffconcat version|\[playlist\]|<\?xml|<MPD|<svg|<smil|v=0\r?\n|FILE "|;FFMETADATA|movie=|\w+\(["'])/,
  },
];

/** What a file is, judged by its first bytes, when that is certainly no footage. */
export function foreignContent(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  return signatures.find((signature) => signature.begins.test(text))?.what;
}
