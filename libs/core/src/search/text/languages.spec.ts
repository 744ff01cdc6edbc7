import { isForeign } from './languages.js';

// Written for this test: requests in other languages than that of the tools.
const FOREIGN = [
  'Erstelle eine Rechnung für den Kunden',
  'Zeig mir alle offenen Tickets von heute',
  'Bitte lösche die Datei und den Ordner',
  'Crea una factura para el cliente',
  'Envía un correo a Juan por favor',
  'Muéstrame todas las incidencias del proyecto',
  'Donne-moi la météo à Paris pour demain avec le vent',
  'Je veux créer une facture',
  'Cerca un volo per Roma nella settimana di Natale',
  'Mostra-me todas as faturas que não foram pagas',
  'Verwijder het bestand en de map van mijn project',
  '创建一张发票',
  '東京の天気を教えて',
  '고객에게 환불해 주세요',
  'создай счёт для клиента',
  'أنشئ فاتورة للعميل',
];
const ENGLISH = [
  'create an invoice',
  'weather in Los Angeles',
  'flights from San Jose to El Paso',
  'find papers by the MIT on Der Spiegel',
  'list Jira tickets of Müller GmbH',
  'update my résumé',
  'send "Guten Morgen und bis später" to the team with my name',
  'translate hola to English',
  'refund order 4711',
  'open the café menu',
  'DNS records',
  'list os versions',
  'current time est',
  'check ha status',
  'list mit licensed packages',
  'find customer van der berg',
  'pasta alla norma recipe',
  'search big sur hikes',
  'distance in mi',
  'I do not understand this message: नमस्ते कैसे हो? Translate it',
];

describe('isForeign', () => {
  it.each(FOREIGN)('is true for a request in another language: %s', (request) =>
    expect(isForeign(request, 'en')).toBe(true),
  );

  it.each(ENGLISH)('takes an English request for one, names and quotations included: %s', (request) => {
    expect(isForeign(request, 'en')).toBe(false);
  });

  it('compares with the language of the tools', () => {
    expect(isForeign('Erstelle eine Rechnung für den Kunden', 'de-AT')).toBe(false);
    expect(isForeign('create the invoice for a customer', 'de')).toBe(true);
    expect(isForeign('東京の天気を教えて', 'ja')).toBe(false);
  });

  it('compares scripts that several languages share, and is false for unsupported languages', () => {
    expect(isForeign('створи рахунок для клієнта', 'uk')).toBe(false);
    expect(isForeign('create the invoice for a customer', 'uk')).toBe(true);
    expect(isForeign('lav en faktura til kunden med det samme', 'fi')).toBe(false);
    expect(isForeign('create the invoice', 'EN')).toBe(false);
  });

  it('is never sure where the language of the tools is not', () => {
    for (const request of [...FOREIGN, ...ENGLISH]) expect(isForeign(request, '')).toBe(false);
  });
});
