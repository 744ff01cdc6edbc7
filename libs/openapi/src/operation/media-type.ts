const MEDIA_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+[ \t]*(;[\t\x20-\x7e]*)?$/;

/**
 * Whether a text has the form of a media type or of a range of them (`text/*`), with or without parameters. Such a text is
 * safe as the value of a `Content-Type`: it has no line breaks and only ASCII.
 */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}
