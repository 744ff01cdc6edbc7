/* Words that say what a number is. All are compared in lower case and as whole words; `~` stands for any ending. */

const alternatives = (lists: readonly string[]) =>
  lists
    .flatMap((list) => list.split(', '))
    .map((word) => word.replaceAll('~', String.raw`\p{L}{0,8}`).replaceAll(' ', String.raw`[ -]?`))
    .join('|');

const PHONE_WORDS = alternatives([
  // English
  'phone~, telephone~, smartphone, cellphone, cell, mobile, mob, ph, landline, fax, call~, caller id, ring, rang, dial, text me, texted, voicemail, hotline, helpline, helpdesk, switchboard, reception, front desk, contact~, reach, reachable, reached, on call, pager, new number, my number, whatsapp, signal, sms, viber, telegram, msisdn',
  // German
  'tel, telefon~, fon, fernsprecher, telefax, handy~, mobil~, mobilfunk~, festnetz~, rufnummer~, rufnr, rückruf~, ruf, anruf~, durchwahl~, hotline, notruf~, notdienst, bereitschaft~, zentrale, sekretariat, erreichbar, erreichen, erreicht, kontakt~, ordination~, pikett~, natel, meine nummer, unter der nummer',
  // French
  'tél, téléphon~, portable, mobile~, fixe, standard, appel~, rappel~, joindre, joignable, télécopie, mon numéro, ligne directe',
  // Spanish
  'teléfono~, telefono~, móvil~, movil, celular, llam~, tfno, telf, tlf, tlfn, fijo, centralita, mi número, contacto',
  // Italian
  'telefono, telefonare, cellulare, cell, fisso, chiam~, recapit~, centralino, segreteria, mio numero, portatile',
  // Dutch
  'telefoon~, mobiel~, bel, bellen, belt, gebeld, bereikbaar, bereiken, mijn nummer, gsm',
  // Polish
  'telefon~, komórk~, kom, dzwoni~, zadzwoni~, infolini~, dyżurn~, sekretariat, mój numer, nr tel, faks',
]);
/** A word for a phone in a text, an emoji, or an abbreviation directly before the number. */
export const PHONE_LABEL = new RegExp(
  String.raw`(?<![\p{L}])(?:${PHONE_WORDS})(?![\p{L}])|[☎☏✆📞📱]|(?:^|[\s|,;(])[tmpf] ?[.:] ?$`,
  'u',
);

/** Label behind a number: `030 23125417 (Büro)`. */
export const PHONE_SUFFIX =
  /^ ?[-–,([]{0,2} ?(?:mobile|mobil|cell|home|work|office|landline|fax|büro|privat|dienstlich|handy|festnetz|portable|domicile|bureau|fixe|móvil|fijo|cellulare|casa|ufficio|thuis|werk|mobiel|kom|domowy|ext|x\d|extension|durchwahl|anrufen|only calls)(?![\p{L}])/iu;

const OTHER_WORDS = alternatives([
  'order~, part, parts, sku, ean, gtin, isbn, imei, serial, tracking, ticket, case, version, build, ref, reference, invoice, account, process, pid, port, zip, fips, batch, lot, item, model, ssn, page, pages, range',
  'bestell~, auftrag~, rechnung~, artikel~, teilenr, teile nr, serien~, sendung~, lieferschein~, vertrag~, kunden~, konto~, plz, zählerstand, hrb, mandat~, vorgang~, akten~, zimmer',
  'commande, facture, référence, siret, siren, dossier, colis, matrícula, factura, pedido, póliza, fattura, ordine, pratica, bestelling, factuur, faktura, zamówieni~, przesyłk~',
  'nip, regon, krs, kvk, iban, bsn, pesel, cpf, nir, btw, iva',
]);
/** Words for other numbers directly before one. `Caller ID` is none. */
export const OTHER_LABEL = new RegExp(
  String.raw`(?<![\p{L}])(?:${OTHER_WORDS}|(?<!caller[- ])id)(?![\p{L}])[^\p{L}]{0,3}(?:(?:no|nr|num|number|nummer|id|numer|número|numéro)(?![\p{L}])[^\p{L}]{0,3})?$`,
  'u',
);
