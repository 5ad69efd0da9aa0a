/**
 * Text as it may stand in XML and HTML, between elements and in a quoted attribute. What XML cannot hold at all (controls, halves of
 * characters, U+FFFE and U+FFFF) becomes a blank.
 */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[<>&"'`]/g, (character) => `&#${character.codePointAt(0)};`);
}
