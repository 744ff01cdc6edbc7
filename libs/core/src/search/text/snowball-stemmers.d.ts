declare module 'snowball-stemmers' {
  /** @param language for example `english` (Porter 2) */
  export function newStemmer(language: string): { stem(word: string): string };
}
