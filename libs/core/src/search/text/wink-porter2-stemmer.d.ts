declare module 'wink-porter2-stemmer' {
  /** The English stem (Porter 2) of a lower-case word. */
  function stem(word: string): string;
  export = stem;
}
