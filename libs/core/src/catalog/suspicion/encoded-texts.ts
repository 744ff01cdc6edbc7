const RUNS = 16;
const RUN_CHARS = 8192;
const MIN_TEXT = 6;
const PRINTABLE = /^[\t\n\r\x20-\x7e\u00a0-\uffff]*$/;

/** The supported encodings: a bounded pattern for an encoded run, and its decoder. */
const ENCODINGS: readonly { readonly run: RegExp; readonly decode: (run: string) => string }[] = [
  {
    run: /[A-Za-z0-9+/_-]{20,8192}={0,2}|[A-Za-z0-9+/]{8,19}={1,2}/g,
    decode: (run) => Buffer.from(run, 'base64').toString('utf8'),
  },
  { run: /\b(?:[0-9a-fA-F]{2}){10,4096}\b/g, decode: (run) => Buffer.from(run, 'hex').toString('utf8') },
  { run: /\b[A-Z2-7]{24,8192}={0,6}/g, decode: base32 },
  {
    run: /(?:\b(?:0x|\\x)?[0-9a-fA-F]{2}[\s:,]{1,2}){8,2048}/g,
    decode: (run) => Buffer.from(run.replace(/0x|\\x|[^0-9a-f]/gi, ''), 'hex').toString('utf8'),
  },
  {
    run: /(?:\\x[0-9a-fA-F]{2}){4,2048}/g,
    decode: (run) => Buffer.from(run.replaceAll('\\x', ''), 'hex').toString('utf8'),
  },
  { run: /(?:\b[01]{8}\s?){6,1024}/g, decode: (run) => codes(run.replace(/\s/g, '').match(/.{8}/g) ?? [], 2) },
  { run: /(?:\b\d{2,3}[\s,]{1,2}){8,2048}\d{2,3}/g, decode: (run) => codes(run.match(/\d+/g) ?? [], 10) },
];
/** Escapes may stand between plain letters, so the whole text is also read with its escapes resolved. */
const ESCAPES = /\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi;

/** Decodes the encoded parts of a text, which only a model can read: at most 16 runs per encoding, 8 KiB each. */
export function encodedTexts(text: string): string[] {
  const texts: string[] = [];
  for (const { run, decode } of ENCODINGS) {
    let count = 0;
    for (const [found] of text.matchAll(run)) {
      if (++count > RUNS) break;
      keep(decode(found.slice(0, RUN_CHARS)), texts);
    }
  }
  const resolved = text.replace(ESCAPES, (whole, ...groups: (string | undefined)[]) => {
    const [u, x, percent, hexEntity, entity] = groups;
    const code = entity === undefined ? Number.parseInt(u ?? x ?? percent ?? hexEntity ?? '', 16) : Number(entity);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  if (resolved !== text) keep(resolved, texts);
  return texts;
}

function keep(text: string, texts: string[]): void {
  if (text.length >= MIN_TEXT && PRINTABLE.test(text) && !text.includes('\ufffd')) texts.push(text);
}

function codes(numbers: readonly string[], radix: number): string {
  return numbers.map((each) => String.fromCharCode(Number.parseInt(each, radix))).join('');
}

function base32(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of run.replaceAll('=', '')) {
    value = ((value << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return Buffer.from(bytes).toString('utf8');
}
