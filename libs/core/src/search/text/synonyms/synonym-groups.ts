/**
 * Words that a request and a tool may use for the same thing, in groups: each word also finds the others. `a > b, c`
 * holds in one direction only: a request with `a` also finds `b` and `c`, but not the reverse. A word may be in several
 * groups; several words in a row are a phrase.
 */
export interface SynonymGroups {
  /** 0 to 1: the weight of another word of the group, relative to the word of the request. */
  readonly weight: number;
  readonly groups: string;
}

/** Spellings, abbreviations and forms of one word that stemming does not unify. */
const FORMS = `
  repository, repo; database, db; configuration, config, configure; configure, setup;
  authentication, auth, authenticate; authorization, auth, authorize; message, msg; image, img; picture, pic;
  video, vid; organization, organisation, org; environment, env; identifier, id, identify; directory, dir;
  document, doc, documentation; documentation, docs; information, info; application, app; administrator, admin;
  development, dev, develop; production, prod; parameter, param; argument, arg; variable, var; function, func, fn;
  library, lib; package, pkg; reference, ref; statistics, stats, statistic; average, avg, mean; maximum, max;
  minimum, min; number, num; quantity, qty; department, dept; telephone, phone; temperature, temp; language, lang;
  latitude, lat; longitude, lon, lng; timezone, time zone, tz; kubernetes, k8s, kubectl; javascript, js;
  typescript, ts; python, py; markdown, md; artificial intelligence, ai; machine learning, ml; virtual machine, vm;
  operating system, os; television, tv; bitcoin, btc; ethereum, eth; pull request, pr; merge request, mr;
  email, mail, e-mail; login, signin; logout, signout; website, web site; webpage, web page; payment, pay, paid;
  delivery, deliver; description, describe; subscription, subscribe; registration, register; conversion, convert;
  comparison, compare; analysis, analyze, analyse, analytics; summary, summarize, summarise; verification, verify;
  validation, validate; notification, notify; modification, modify; classification, classify;
  transcription, transcribe, transcript; response, respond; permission, permit; creation, create;
  cancellation, cancel; encryption, encrypt; compression, compress; removal, remove;
  calculation, calculate, calculator; visualization, visualize, visualisation, visualise;
  optimization, optimize, optimise; synchronize, sync, synchronise; speech, speak, spoken; sale, sell, sold;
  flight, fly; purchase, buy, bought; birth, birthday, born; children, child; people, person; indices, index, indexes;
  media, medium; color, colour; favorite, favourite; center, centre; catalog, catalogue; license, licence;
  program, programme; gray, grey; freebusy, free busy; postcode, zip code, postal code, zip; text to speech, tts;
  speech to text, stt; key value, kv; certificate, cert, ssl, tls; knowledge base, kb; direct message, dm;
  user interface, ui; continuous integration, ci; average, mean; sold, sale; belong, member, membership;
  contributor, contribute, contribution; vulnerable, vulnerability; built, build; sent, send; written, write, wrote;
  made, make; found, find; drawn, draw; taken, take; ran, run; spent, spend; held, hold; chosen, choose, choice;
  growth, grow; loss, lose, lost; attachment, attach; management, manage, manager; recognition, recognize, recognise;
  detection, detect, detector; prediction, predict; estimation, estimate; recommendation, recommend;
  suggestion, suggest; invitation, invite; installation, install; deployment, deploy; migration, migrate;
  integration, integrate; translation, translate, translator; generation, generate, generator; extraction, extract;
  encoding, encode; decoding, decode; exploration, explore; reservation, reserve; cancelation, cancel;
  activation, activate; deletion, delete; selection, select; completion, complete; automation, automate, automatic;
  simulation, simulate, simulator; renewal, renew; approval, approve; rejection, reject; retrieval, retrieve;
  arrival, arrive; departure, depart; mathematics, math, maths; examination, exam; advertisement, ad;
  airplane, aeroplane, aircraft, plane; grocery, groceries; condominium, condo; vaccination, vaccine, vaccinate;
  immunization, immunisation; investment, invest, investor; employment, employ, employee; specification, spec;
  credential, cred; calendar, cal; attribute, attr; object, obj; string, str; error, err; utility, util;
  allocation, allocate; frequency, frequent; popularity, popular; similarity, similar; availability, available;
  legal, lawyer, attorney, law; economy, economic, economics; politics, political; health, medical; distance, far;
  winner, win, won; paid, pay; taught, teach, teacher; lent, lend, loan; led, lead, leader; eaten, eat, ate
`;

/** Words with the same meaning in a request for a tool. */
const SAME = `
  create, add, new, make, insert; create, generate, build, produce, compose; create, register, open;
  create, start, initialize; add, append, include, attach, put; delete, remove, drop, erase, destroy, discard, trash;
  clear, clean, empty, wipe, purge, flush, reset; delete, clear; uninstall, remove;
  get, fetch, retrieve, read, obtain, load; get, show, view, display, see; get, check, query;
  list, enumerate, browse, all; list, get, show; search, find, query, lookup, seek, discover, locate;
  filter, query, select; update, edit, modify, change, alter, patch, revise, amend, adjust;
  update, set, configure, put; replace, substitute, overwrite, swap; rename > update, move, title;
  set, assign, configure, define; configuration, settings, preferences, options;
  send, post, dispatch, transmit, submit; reply, respond, answer; notify, alert, inform, remind;
  notification, push, alert, reminder; publish, post, release, share, announce; share, invite, permission, access;
  upload, import, attach; download, export, save; save, store, write, keep, persist; write, put, update;
  copy, duplicate, clone, replicate; fork, copy; move, transfer, relocate, migrate; convert, transform, parse;
  merge, combine, join, concatenate; split, divide, separate; compare, diff, difference; sort, order, rank, arrange;
  count, total, number; calculate, compute, evaluate, solve; verify, validate, confirm, check, test;
  check, inspect, examine, audit; analyze, examine, evaluate, assess, insight; monitor, watch, track, observe;
  approve, accept, confirm; reject, decline, deny, refuse; allow, permit, grant, enable, authorize;
  block, ban, deny, restrict; enable, activate; disable, deactivate; start, begin, launch, run, trigger;
  run, execute, invoke, call, perform; stop, end, terminate, halt, abort, kill, quit; cancel, abort, stop;
  pause, suspend, hold; resume, continue, unpause; restart, reboot, rerun, retry; close, resolve, complete;
  complete, finish, done; invite, member, add; subscribe, follow, watch; unsubscribe, unfollow;
  book, reserve, schedule; booking, reservation, appointment; schedule, plan, calendar, agenda, timetable;
  order, buy, purchase; refund, reimburse, return; ship, shipment, delivery, parcel; track, shipment, parcel, package;
  login, authenticate, session; signup, register, enroll, join; install, deploy, setup;
  deploy, release, rollout, publish; rollback, revert, undo, restore; restore, recover, undelete;
  backup, snapshot, dump; sync, refresh, update; compress, zip; extract, unzip, decompress;
  scrape, crawl, extract, fetch; click, press, tap; type, enter, fill, input; navigate, open, visit; scroll, swipe;
  drag, move; record, capture; draw, plot, chart, graph, diagram, visualize, render;
  summarize, digest, overview, shorten; recommend, suggest, similar, related, discover;
  rate, review, rating, feedback; star, like, favorite, bookmark; reaction, emoji, react, like; comment, note, remark;
  label, tag, category; assign, assignee, owner, responsible; explain, describe, meaning;
  translate, translation, language; rewrite, rephrase, paraphrase, reword; proofread, grammar, spelling, correct;
  write, compose, draft; draft > create, send; hang up > end, call;
  throw out, kick out, kick, expel, take away > remove, delete; give access > add, invite, grant, permission;
  take over > assign, ownership; hand over > assign, transfer; bring up to date > update, sync;
  spin up, provision > create, start; tear down > delete, destroy; kick off > start, run, trigger;
  leave > add, create; put > add, set, create, upload; attach > attachment, upload; look at > view, get;
  undo > reset, revert; answer > comment, reply; propose > create, suggest; mute, silence, snooze;
  emulate, simulate, mimic; resize, scale, crop, shrink; format, style, font; compile, build, bundle;
  remember, memory, memorize, recall; forget > delete, memory; attendee, participant, guest, invitee;
  availability, free, busy, free time, freebusy, schedule; incident, outage, alert; health, uptime, status;
  traffic, visit, view, visitor; latency, performance, speed, response time; usage, quota, limit, consumption;
  billing, spend, cost, usage; lead, prospect, opportunity, contact; survey, form, questionnaire, poll;
  contract, agreement; sign, signature; thumbnail, preview, image; entity, node, object;
  relation, relationship, edge, link; collection, table, list; heading, header, title; paragraph, block, section;
  tab, page; key, keyboard, press; viewport, screen size, resolution; elevation, altitude, height;
  nearest, closest, near, nearby; authenticated, whoami, current user; gist, snippet; expire, expiry, ttl, expiration;
  portfolio, holding, position; trade, trading, order; issue, ticket, bug, defect, incident;
  work item, issue, task, story; task, todo, action item, reminder; pull request, merge request; repository, project;
  commit, revision, change; code, source, snippet, script, program; workflow, pipeline, automation;
  pipeline, ci, build, job; version, release, tag, revision; sprint, iteration, cycle; milestone, version, iteration;
  document, page, file, wiki; documentation, guide, manual, reference, help; page, note, document;
  log, output, trace, console; error, exception, failure, crash, fail; dependency, package, library, module;
  container, pod, docker; server, host, machine, instance, node; cpu memory, resource usage; replica, scale;
  database, sql; table, sheet; row, record, entry, item; column, field, attribute, property;
  schema, structure, definition; secret, password, credential, token, key; url, link, uri;
  website, site, webpage, web, url; domain, dns, hostname; image, picture, photo, illustration;
  screenshot > image, capture, snapshot; video, clip, movie, footage; audio, sound, voice; song, track, music;
  artist, singer, musician, band; movie, film, cinema; tv, series, show, television; book, novel; author, writer;
  paper, article, publication, research, study; news, headline, article; file, attachment, document;
  folder, directory; storage, bucket, drive, disk; spreadsheet, sheet, excel, workbook;
  presentation, slides, deck, powerpoint; calendar, event, meeting, appointment; meeting, call, conference;
  event, concert, festival; customer, client, buyer, shopper; customer, contact, user; user, account, member, profile;
  my account > me, profile, user; employee, staff, worker, colleague, personnel;
  company, business, organization, firm, corporation, enterprise; organization, workspace, tenant; team, group;
  manager, boss, supervisor; role, permission, privilege, access; channel, room, chat, conversation;
  chat, message, conversation, thread; text, sms, message; inbox, mailbox, mail;
  newsletter, broadcast, campaign, mailing; subscriber, audience, contact; phone, mobile, cell;
  address, location, coordinates, geocode; location, place, venue, spot; near, nearby, around, closest, local;
  direction, route, navigation; weather, forecast, temperature, climate; price, cost, quote, fee, rate;
  how much > price, cost, amount; money, payment, fund, cash; balance, fund; currency, exchange, forex;
  cryptocurrency, crypto, bitcoin, coin, blockchain; stock, share, ticker, equity; stock, inventory, quantity;
  invoice, bill, billing, receipt; payment, charge, transaction; cart, basket; product, item, goods, merchandise;
  discount, coupon, promotion, deal, offer, voucher; shop, store, retailer, merchant;
  ad, advertisement, advert, advertising; salary, wage, payroll, compensation;
  job, vacancy, career, employment, hiring, position; candidate, applicant; resume, cv, curriculum vitae;
  school, university, college; course, class, lesson, training; learn, study, education, tutor; doctor, physician;
  medicine, drug, medication; disease, illness, symptom; fitness, workout, exercise, gym; food, meal, dish, cuisine;
  recipe, cook, ingredient, dish; nutrition, calorie, diet; restaurant, dining; hotel, accommodation, lodging;
  flight, airline, plane; trip, travel, journey, vacation, itinerary, tour; holiday, vacation, festival;
  train, rail, railway, transit; bus, transit, transport; car, vehicle, automobile;
  house, home, property, real estate, apartment; rent, lease, rental; sport, game, match, league; football, soccer;
  player, athlete; score, result, standings; joke, humor, funny; quote, quotation, saying, inspiration; fact, trivia;
  define, definition, meaning, dictionary; horoscope, zodiac, astrology; date, day, calendar; time, clock, hour;
  metrics, statistics, analytics, measurement; report, summary, statistics; chart, graph, plot; data, dataset, record;
  history, past, previous; recent, latest, newest, last; popular, trending, top, hot;
  current, present, active, ongoing, today; upcoming, next, future; available, availability, free;
  similar, alike, related; status, state, progress; type, kind, category; category, genre, topic;
  device, hardware, gadget; browser, web; window, tab; network, connection; api, endpoint; webhook, callback, hook;
  cron, schedule, timer; function, lambda, serverless, worker; bot, assistant, agent; template, layout;
  component, widget, element; accessibility, a11y; performance, speed, slow, fast; ip, ip address;
  vulnerability, security, threat, cve; scan, audit; rule, policy; tweet, twitter, post; podcast, episode;
  subtitle, caption, transcript; speech, voice, audio; qr, qrcode, barcode; text, content;
  sentiment, emotion, opinion; poem, poetry; lyrics, song; planet, space, astronomy; pet, animal;
  plant, flower, garden; law, legal; donate, donation, charity; covid, coronavirus, pandemic; pollution, air quality;
  energy, power, electricity; crop, farm, agriculture; gift, present; drink, beverage, cocktail;
  clothes, clothing, outfit, fashion, apparel; makeup, cosmetic, beauty; city, town, municipality; country, nation;
  area, region, zone, district; street, road, avenue; zip code, postal code, postcode;
  fuel, gas, petrol, gasoline, diesel; ship, vessel, boat; truck, lorry, van, vehicle; earthquake, quake, seismic;
  hurricane, cyclone, storm, typhoon; emission, carbon, co2; tourist, attraction, sightseeing, landmark;
  destination > place, travel, location; itinerary, trip plan, tour; hike, trail, hiking; fixture, match, game;
  roster, squad, lineup, team; bet, odds, wager, betting; tournament, championship, competition, cup;
  leaderboard, standings, ranking; puzzle, quiz, game; exam, quiz, test; grade, mark, score;
  tutorial, lesson, course, lecture; skill, upskill > course, learn, training;
  wardrobe, outfit, dress, clothes, fashion; dress, wear > fashion, clothes, outfit, style;
  hoodie, shirt, jacket, sweater, scarf > clothes, apparel, fashion; shoe, sneaker, footwear; jewelry, accessory;
  condominium, villa, flat, apartment, house; mortgage, loan, lending, credit;
  revenue, income, earnings, profit, sales; dividend, yield; inflation, cpi; bond, treasury; hospital, clinic;
  vegan, vegetarian, protein, vitamin > diet, nutrition, food; internship > job, career; essay, article, blog post;
  thesaurus, synonym; phrase, sentence, text; alarm, timer, reminder; light, lamp, bulb;
  thermostat, heating, temperature; sensor, detector; switch, toggle, flip; avatar, profile picture, profile photo;
  username, nickname, handle, alias; gender, sex; follower, fan, subscriber; meme, gif, sticker; logo, icon, brand;
  poster, cover, artwork > image, picture, photo; wallpaper, background; seo, keyword, backlink; rss, feed;
  malware, virus, malicious; phishing, scam, fraud, spam; leak, expose, breach; hash, checksum; uuid, guid;
  fix, repair, resolve, correct > update, edit; number of, total number > count, total; percent, percentage, ratio;
  biggest, largest, highest, greatest; smallest, lowest, cheapest; fastest, quickest, shortest; oldest, earliest;
  dimension, size, width, height; weight, mass; kid, child, toddler, baby;
  headquarters, headquarter > address, location, company; director, actor, actress, cast, crew > credit, cast, crew;
  runtime, duration, length; nutrient, nutrition; grocery > food, shopping, product; gift, present;
  recipe, dinner, cook; discussion, forum, thread, debate; quotation, quote, estimate; sms, text message, message;
  audience, subscriber, segment; api key, access key > token, secret, credential; sdk, library, quickstart;
  collaborator, member, contributor; quota, rate limit; astronomy, space, planet, nasa, telescope; lyric, song
`;

/** Idioms, whose meaning differs from that of their words. */
const PHRASES = `
  set up > configure, setup; log in, sign in > login, signin; log out, sign out > logout, signout; sign up > signup;
  back up > backup; roll back > rollback; check out > checkout; home page > homepage; screen shot > screenshot;
  file name > filename; user name > username; to do > todo; get rid of > delete, remove, drop, erase, destroy;
  clean up > delete, clear; look up > lookup, search, get, query; look for > search, find, query, lookup, seek;
  turn into > convert, transform, parse; how many > count, list, total, number;
  work out > calculate, compute, evaluate, solve; turn on, switch on > enable, activate;
  turn off, switch off > disable, deactivate; shut down > stop, end, terminate, halt, abort;
  try again > restart, reboot, rerun, retry; opt out > unsubscribe, unfollow; money back > refund, reimburse, return;
  go live > deploy, release, rollout, publish; go to > navigate, open, visit;
  logged in, who am i > authenticated, whoami, current user, me, profile, account; how far > distance;
  how do i say, how do you say, how to say > translate, speak, language; how to pronounce > pronunciation, speech;
  pay off > loan, debt, payment; sign in > login, authenticate;
  turn on, turn off, switch on, switch off > switch, toggle; by hand > manual, dispatch, trigger;
  on the air > airing, current; in theaters, in cinemas > playing, movie; get to > route, direction; role play > game;
  add up > sum, total; keep track of > track, log, monitor; come up with > generate, create, suggest;
  put together > create, generate; find out > get, search, query; sum up > summarize, summary;
  fill out, fill in > form, fill; pick up > pickup; hand in > submit; reach out > contact, message
`;

/** Words of a request that suggest the kind of tool. */
const GUESSES = `
  euro, dollar, yen, pound, rupee, usd, eur, gbp, jpy > currency, exchange, money;
  rain, snow, sunny, umbrella, wind, storm, cloudy, humidity > weather, forecast; what > get, list, search;
  which > list, get, search; who > list, get, search; where > location, place, address; when > date, time, schedule;
  who > user, person, people, member; whose > owner, user; how long > duration, time; how often > frequency, count;
  how old > age, birth; how do i get to > direction, route; what is on > list, schedule, calendar;
  what happened > log, history, event; why > reason, error, log;
  tomorrow, tonight, weekend, next week > schedule, calendar, forecast;
  monday, tuesday, wednesday, thursday, friday, saturday, sunday > calendar, schedule, date;
  eat, hungry, dinner, lunch, breakfast > restaurant, food, recipe;
  sick, ill, pain, headache > symptom, health, medical; dog, cat > animal, pet;
  actor, actress, director, cast > movie, credit, person; newest, latest > list, recent;
  broken, wrong, bad > error, issue; phone number > contact, phone; address book > contact;
  deadline, due > date, task; cheap, expensive, afford > price, cost, deal;
  investment, invest, portfolio > stock, finance, market; finance, financial > stock, money, market;
  apple, tesla, google, amazon > company, stock; read > content, text; study, homework > education, learn;
  visit > travel, place; pod, deployment, namespace, replica > kubernetes, resource;
  sprint, epic, story > issue, project; inbox, unread > mail, message; photo > media;
  hear, listen > audio, music, song; watch > movie, video, stream; draw > image, design;
  logo, banner, poster > design, image; slide, slideshow > presentation;
  signup, newcomer, onboard > user, register, setup; website, blog > page, url;
  appointment > registration, booking, reservation; nft, defi, token > crypto, blockchain;
  netflix, hulu, stream, streaming > movie, tv; tip, advice, guidance > recommend, suggest;
  concert, festival, ticket > event; vacation, trip > travel, hotel, flight; tourist > travel, place;
  workout > health, exercise; lawyer > legal; mother, father, husband, wife, boyfriend, girlfriend > gift;
  gadget, laptop, phone, camera > product; wrote, publish > author, book; changed > compare, diff; born > person;
  directed, starring > movie, credit
`;

export const SYNONYM_GROUPS: readonly SynonymGroups[] = [
  { weight: 1, groups: FORMS },
  { weight: 0.8, groups: SAME },
  { weight: 0.8, groups: PHRASES },
  { weight: 0.4, groups: GUESSES },
];
