// A style sheet is imported for its effect; the bundler links it to the document.
declare module '*.css';
