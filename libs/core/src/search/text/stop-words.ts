import { stem } from './stem.js';

/** English function words: too frequent to tell tools apart. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are aren as at be because been before being below between both but by
  cannot couldnt did didnt do does doesnt doing dont down during each either else etc for from further had has hasnt have
  having he her here hers herself him himself his how however i id if im in into is isnt it its itself ive just ll let lets
  may me might more most must my myself no nor not of off on once only onto or other others our ours ourselves out over own
  per re s same shall she should shouldnt so some such t than that thats the their theirs them themselves then there
  theres these they this those though through thus to too under until up upon us very via was wasnt we were what whats
  when where whether which while who whom whose why will with within without wont would wouldnt yes yet you your youre
  yours yourself`.split(/\s+/),
);

/** Function words that make another verb of a verb: "turn on", "sign out". */
export const PARTICLES: ReadonlySet<string> = new Set('off on in out up down over back away'.split(' '));

/** Function words that join parts of a name ("list_issues_for_repo"); others can change its verb ("turn_off"). */
export const JOINING_WORDS: ReadonlySet<string> = new Set('a an and as at by for from of or the to with'.split(' '));

/**
 * Words that introduce a request ("I need a tool that …"). In a query they count only in names, and as a tool's verb; everywhere
 * if the query has no other words.
 */
export const ASK_WORDS: ReadonlySet<string> = new Set(
  `able anything appreciate assist assistance can capabilities capability check could currently desire find function
  functionality functions give gives giving hello help helpful helping helps hey hi interested kindly know like
  looking love need needed needs new now please possible provide really show something tell thank thanks tool toolkit
  tools try trying use used using want wanted wants way wish`.split(/\s+/),
);

/** Those of {@link ASK_WORDS} that name what a tool does where its description begins with them ("Checks a domain"), by stem. */
export const OPENING_VERBS: ReadonlySet<string> = new Set(
  'check find give help know look show tell try use'.split(' ').map(stem),
);

/** Words of a request that carry little meaning ("additionally", "comprehensive", "planning"); they count half. */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  `across addition additionally advice afterwards along amazing another appropriate associated based besides best better
  bit blogger certain comprehensive considering corresponding curious decide detailed different directly easily ensure
  ensuring entire especially exactly excited exciting explore exploring family few finally firstly friend friends fun
  furthermore gather gathering going gonna great greatly guidance idea ideal ideas important included includes including
  lastly little lot lots many meanwhile moreover multiple necessary obtain obtaining one ones overall particular
  particularly perfect planning provided provides providing quickly recently recommend recommendations regarding related
  relevant requesting require required requires respective respectively secondly several special specific specifically
  suggest suggestion suggestions suitable thirdly tips today together tomorrow tonight understand unique various weekend
  well whole wonderful wondering working yesterday`.split(/\s+/),
);

/** Whether a word of a name counts beside its content: a function word that can change the verb. */
export function isAside({ stop, word }: { readonly stop: boolean; readonly word: string }): boolean {
  return stop && !JOINING_WORDS.has(word);
}
