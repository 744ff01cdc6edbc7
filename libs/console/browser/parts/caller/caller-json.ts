/** Characters that are not seen, or that change the reading order: ids of others may have them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const UNSEEN_IN_JSON = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => {
    return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }).join('');

/** A caller as JSON, in which every character is seen. */
export function callerJson(caller: object): string {
  return JSON.stringify(caller, undefined, 1).replaceAll(UNSEEN_IN_JSON, escaped);
}

/** Whether a field of a form shows every character of a text. */
export const isSeen = (text: string): boolean => !UNSEEN.test(text);
