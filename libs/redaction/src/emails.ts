import type { Finding } from './finding.js';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
/** Characters of the part before the `@`. `=`, `&`, `/` and others are legal, but separate addresses in practice. */
const LOCAL = /[\p{L}\p{M}\p{N}._%+'’-]/u;
const DOMAIN = /[\p{L}\p{M}\p{N}.-]/u;
/** Scripts without blanks between words: their letters beside an address are no part of it. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Endings of file names that are no top-level domains. */
const FILES =
  /\.(?:png|jpe?g|gif|webp|svg|ico|avif|bmp|pdf|css|scss|js|mjs|cjs|ts|tsx|jsx|json|ya?ml|toml|html?|xml|txt|csv|tgz|gz|bz2|xz|tar|whl|jar|war|lock|log|exe|dll|deb|rpm)$/i;
/** Ids of messages have the form of addresses. */
const MESSAGE_ID = /(?:message-id|in-reply-to|references|content-id|msg-?id)["']?\s?[:=]?\s?["']?<?$|\bcid:$/i;
/** Commands whose argument is a login, not an address of mail. */
const LOGIN = /\b(?:ssh|scp|sftp|rsync|mosh|sshfs|git clone|remote add \S{1,20})\s(?:\S{1,40}\s){0,3}$/;

/** Mail addresses whose `@` is in `[from, to)`. The work for each is bounded. */
export function* emailsIn(text: string, from: number, to: number): Generator<Finding> {
  const part = text.slice(from, to + 6);
  for (const { index, 0: sign } of part.matchAll(/@|&#(?:64|x40);/gi)) {
    const at = from + index;
    if (at >= to) return;
    const end = endOfDomain(text, at + sign.length);
    if (end === undefined) continue;
    const start = quotedStart(text, at) ?? startOfLocal(text, at);
    if (start === undefined || isLogin(text, start, at, end)) continue;
    yield { start, end, kind: 'email' };
  }
}

function startOfLocal(text: string, at: number): number | undefined {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && LOCAL.test(text.charAt(start - 1))) {
    if (UNSPACED.test(text.charAt(start - 1)) && start < at) break;
    start -= 1;
  }
  while (start < at && /[.'’%-]/.test(text.charAt(start))) start += 1;
  const escaped = /^(?:25|3[ACD]|2[026CF]|0A)(?=[^%@]{2})/i.exec(text.slice(start, start + 8));
  if (escaped && text.charAt(start - 1) === '%') start += escaped[0].length;
  const local = text.slice(start, at);
  if (local === '' || !/[\p{L}\p{N}]/u.test(local) || text.charAt(start - 1) === '@') return undefined;
  return start;
}

/** The place of the opening quote of `"anna maria"@example.com`. */
function quotedStart(text: string, at: number): number | undefined {
  if (text.charAt(at - 1) !== '"') return undefined;
  const start = text.lastIndexOf('"', at - 2);
  if (start < Math.max(0, at - MAX_LOCAL) || /[\p{L}\p{N}]/u.test(text.charAt(start - 1))) return undefined;
  return /^[\p{L}\p{N}][^"\n:,{}[\]]*$/u.test(text.slice(start + 1, at - 1)) ? start : undefined;
}

function endOfDomain(text: string, start: number): number | undefined {
  let end = start;
  while (end < text.length && end - start < MAX_DOMAIN && DOMAIN.test(text.charAt(end))) {
    if (UNSPACED.test(text.charAt(end)) && end > start && /[a-z]/i.test(text.charAt(end - 1))) break;
    end += 1;
  }
  while (end > start && /[.-]/.test(text.charAt(end - 1))) end -= 1;
  const domain = text.slice(start, end);
  const labels = domain.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || labels.some((label) => label === '' || label.startsWith('-'))) return undefined;
  if (!/^(?:xn--[a-z\d-]{2,59}|[\p{L}\p{M}]{2,63})$/iu.test(top)) return undefined;
  return FILES.test(domain) || /^(?:\d+x\.|v?\d+\.\d)/.test(domain) ? undefined : end;
}

/** Logins in addresses and commands: `https://user@host`, `git@host:path`, `ssh user@host`. */
function isLogin(text: string, start: number, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  const authority = /:\/\/[^\s/?#"'<>]*$/.exec(before);
  if (authority) return true;
  if (/^:(?:[~/]|[\w.-]+\/)/.test(text.slice(end, end + 80))) return true;
  if (/^(?:git|hg|svn)$/.test(text.slice(start, at)) && text.charAt(end) === ':') return true;
  if (/^: (?:permission denied|connection)|^'s password/i.test(text.slice(end, end + 24))) return true;
  if (MESSAGE_ID.test(before)) return true;
  return LOGIN.test(before.slice(before.lastIndexOf('\n') + 1));
}
