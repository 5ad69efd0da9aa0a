// The smaller build has the types of the whole one.
declare module 'hls.js/light' {
  export type { ErrorData } from 'hls.js';
  export { default, ErrorDetails, ErrorTypes, Events } from 'hls.js';
}
