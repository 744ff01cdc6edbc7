/** Words by concept, folded (lower case, no accents); `*` ends a stem. Other languages: `foreign-words.ts`. */
export const WORD_CLASSES = {
  // Disregarding earlier instructions.
  IGNORE: `ignor* disregard* forget* forgot override overrid* overrul* bypass* discard* neglect* supersed* abandon* overwrit*
    nullif* invalidat* circumvent* unlearn cancel* dismiss* drop erase erases void`,
  PREVIOUS: `previous previously prior earlier above preceding former foregoing initial original past existing all any every
    everything your system developer safety other before default current hidden remaining these those whatever`,
  EARLIER: `previous prior earlier above preceding former foregoing past`,
  ORDERS: `instruction* directive* prompt prompts guideline* guardrail* safeguard* programming training preprompt orders
    restriction* commandment* guidance alignment`,
  LIMITS: `rules rule policies policy constraint* limitation* filters protections protocols boundaries`,
  OBEY: `follow* obey* comply complies adhere* execute* perform* carry act heed fulfil* implement`,
  // Hiding something from the user.
  NOT: `not never dont doesnt cannot cant shouldnt mustnt wont neither nor no avoid refrain`,
  WITHOUT: `without w/o`,
  TELL: `tell* inform informs informing informed mention* notify notifi* reveal* disclos* say says saying show shows showing
    display* report reports reporting alert* warn warns warning explain* share sharing acknowledg* discuss* announc* surface
    expose exposing divulg* talk confess admit comment narrate describe`,
  SAY: `tell* inform informs informing informed mention* notify notifi* reveal* disclos* say says saying report alert* warn warns
    warning explain* share sharing acknowledg* discuss* announc* divulg* confess admit comment`,
  KNOWING: `know* notic* aware awareness find* learn* realiz* realis* suspect* detect*`,
  USER: `user users human humans person people customer customers operator operators anyone anybody enduser somebody
    someone reviewer reviewers auditor auditors`,
  SECRETLY: `silently secretly covertly quietly stealthily discreetly surreptitiously invisibly stealth unnoticed
    undetected clandestinely`,
  CONFIDENTIAL: `secret confidential hidden invisible private unseen undisclosed`,
  // Secrets, and reading or sending them.
  SECRET: `secret secrets password passwords passwd passphrase* credential credentials apikey apikeys token tokens cookie
    cookies keychain keys wallet mnemonic privatekey`,
  READ: `read reads reading open opens load loads cat fetch retrieve access collect gather extract dump copy grab obtain locate
    look scan harvest steal find capture take print query list enumerate get recall summarize summarise`,
  SEND: `send sends sending pass passes passing include includes including put puts provide forward forwards post posts
    upload uploads transmit* submit* attach* append* add adds embed* insert* place places exfiltrat* leak* copy paste email
    emails mail bcc supply populate fill write encode deliver share ship report reports relay include prepend stuff concatenate
    return output reveal print repeat`,
  MOVE: `send sends sending forward forwards post posts upload uploads transmit* submit exfiltrat* leak* bcc relay deliver
    ship beacon`,
  // Content that only the model has.
  TALK: `conversation conversations chat dialog dialogue transcript session`,
  PAST: `history histories log logs transcript transcripts messages message content contents context turns memory text record
    summary prompts`,
  MIND: `reasoning thoughts thinking chainofthought deliberation scratchpad`,
  // The choice among tools.
  TOOL: `tool tools function functions plugin plugins mcp server servers connector connectors integration integrations
    extension extensions skill skills`,
  OTHER: `other others another any every all different alternative alternatives competing competitor* rival* similar
    remaining else`,
  ELSE: `other others another alternative alternatives competing competitor* rival* similar different`,
  CHOOSE: `use uses using used choose choosing call calls calling called invoke* invoking select selecting selected prefer*
    pick picking prioriti* favor favour trust run rely consider execute`,
  ALWAYS: `always must only exclusively invariably mandatory required should shall need needs`,
  BAD: `deprecated unsafe broken outdated unreliable insecure inaccurate obsolete inferior untrusted compromised malicious
    disabled harmful dangerous slow vulnerable unavailable incorrect`,
  BEST: `best superior finest greatest fastest safest top number1 ultimate preferred trustworthy`,
  MOST: `most`,
  GOOD: `reliable accurate trusted secure powerful comprehensive advanced effective efficient safe popular recommended
    capable authoritative trustworthy correct`,
  // Calls of other tools and their arguments.
  ARGUMENT: `recipient* parameter parameters argument arguments bcc cc destination address addresses amount account
    accounts header headers field fields body url receiver payload payee iban endpoint subject path target branch value
    values host port wallet email to price`,
  CHANGE: `set sets change changes replace* substitut* modify modif* redirect* rewrit* alter* swap* insert* append* add adds
    prepend include override route reroute adjust bcc cc use pass send transfer*`,
  // Consent that was never given.
  CONSENT: `confirm* permission* consent* approv* authoriz* authoris* verif* acknowledg*`,
  GIVEN: `given granted approved consented authorized authorised agreed confirmed preapproved accepted permitted
    cleared allowed`,
  ALREADY: `already previously beforehand implicitly explicitly fully automatically`,
  SKIP: `skip* bypass* ignore omit disable* suppress* circumvent* disregard*`,
  // Triggers: counts and numbers of calls.
  COUNT: `second third fourth fifth sixth seventh eighth ninth tenth 2nd 3rd 4th 5th 6th 7th 8th 9th 10th nth 2 3 4 5 6 7 8 9
    10 20 50 100 two three four five ten several few`,
  CALLS: `call calls invocation invocations use uses usage request requests execution executions time times run runs`,
  // Data of other tools, and what is done with it.
  ANY: `any every each all whichever whatever`,
  DATA: `arguments argument inputs input outputs output results result responses response data content contents text texts
    file files document documents draft drafts message messages mail mails email emails query queries request requests payment
    payments transfer transfers amount amounts link links links`,
  STEP: `call calls step steps action actions operation operations task tasks turn turns request requests query queries
    reply replies answer answers response responses message messages write writes commit commits edit edits save saves payment
    payments transfer transfers deletion upload`,
  CHANGED: `preceded followed prefixed suffixed prepended appended copied sent forwarded routed increased reduced multiplied
    replaced addressed filtered dropped rewritten set changed adjusted swapped redirected rounded raised lowered added attached
    included removed stored mirrored posted wrapped converted handed passed given supplied signed executed shared uploaded
    logged recorded submitted registered`,
  ANSWER: `answer answers reply replies response responses summary report reports`,
  // Personal data, unrelated to a task.
  PERSONAL: `ssn passport birthdate dob medication* salary religion* ethnic* biometric* disabilit*
    political* sexual* iris nationality genetic`,
  MINE: `contacts addressbook calendar calendars mailbox inbox drive notes messages mails emails chats photos files documents
    bookmarks history`,
  // Assistants, authorities and unrestricted roles.
  BEING: `assistant ai model llm agent chatbot bot claude chatgpt gpt gemini copilot you`,
  SOMEBODY: `anthropic openai google microsoft developer developers administrator administrators admin sysadmin root
    creator creators vendor security compliance management`,
  UNBOUND: `unrestricted uncensored unfiltered jailbroken jailbreak dan limitless unlimited unconstrained amoral`,
} as const;
