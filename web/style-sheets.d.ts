// A style sheet is imported for its effect; the bundler links it to the document.
declare module '*.css';
// The address of a worker's script, which the bundler makes.
declare module '*?worker&url' {
  const address: string;

  // biome-ignore lint/style/noDefaultExport: the bundler gives it as the default
  export { address as default };
}
