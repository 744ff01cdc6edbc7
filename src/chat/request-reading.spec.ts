import { readRequest, splitRequests, wordings } from './request-reading.js';

describe('splitRequests', () => {
  it.each([
    ['Read a.txt and tell me what it says', ['Read a.txt and tell me what it says']],
    ['Read a.txt and then write it to b.txt', ['Read a.txt', 'write it to b.txt']],
    ['List the files. Delete the branch main.', ['List the files', 'Delete the branch main.']],
    ['Write "one and then two" to a.txt', ['Write "one and then two" to a.txt']],
    ['  ', []],
  ])('takes %j apart', (text, parts) => {
    expect(splitRequests(text)).toEqual(parts);
  });
});

describe('readRequest', () => {
  it.each([
    // what is said                                                          what to do, with what
    ['Refund invoice inv_1001 with 25 euros because it was charged twice', 'refund', ['invoice']],
    ['Read the file notes/welcome.txt and tell me what it says', 'read', ['file']],
    ['What does the file notes/welcome.txt say?', 'read', ['file']],
    ['I want to know what notes/welcome.txt says', 'read', []],
    ['Which files are in the notes folder?', 'list', ['files', 'folder']],
    ['How many open invoices do I have?', 'list', ['open', 'invoices']],
    ['What is the status of invoice inv_7?', 'get', ['status', 'invoice']],
    ['How large is a.txt?', 'get', ['size']],
    ['What do you know about Ada?', 'search', ['knowledge']],
    ['Please create an issue titled "Bug"', 'create', ['issue']],
    ['Add the numbers 17 and 25', 'sum', ['numbers']],
    ['What is 17 plus 25?', 'sum', ['numbers']],
    ['Add 5 labels', 'add', ['labels']],
    ['Hello', '', []],
  ])('understands %j', (text, action, objects) => {
    expect(readRequest(text)).toMatchObject({ action, objects });
  });

  it.each([
    ['Remember that Ada Lovelace works at Analytical Engines.', 'Ada Lovelace', 'works at', 'Analytical Engines'],
    ['Note that Bob lives in Berlin', 'Bob', 'lives in', 'Berlin'],
    ['remember: my sister likes green tea', 'my sister', 'likes', 'green tea'],
    ['Remember Grace is a mathematician', 'Grace', 'is a', 'mathematician'],
  ])('takes the fact out of %j', (text, subject, predicate, object) => {
    expect(readRequest(text).fact).toEqual({ subject, predicate, object, statement: `${predicate} ${object}` });
  });

  it('sees no fact where nothing is to be remembered', () => {
    expect(readRequest('Save the text "Ada works at Acme" in a.txt').fact).toBeUndefined();
  });

  it('keeps the reason apart', () => {
    expect(readRequest('Refund inv_1 because it was charged twice.').reason).toBe('it was charged twice');
  });
});

describe('wordings', () => {
  it.each([
    ['Refund invoice inv_1001 with 25 euros because it was charged twice', ['refund invoice', 'refund bill']],
    ['Make a folder named archive', ['create directory', 'make folder']],
    ['Show the issues of nestjs/nest', ['list issues repository', 'show issues']],
    ['Show issue #5', ['get issue', 'show issue']],
    ['Read notes/welcome.txt', ['read file', 'read']],
    ['Remember that Ada works at Acme', ['create knowledge entities', 'remember']],
    ['Open the pod bay doors', ['open pod bay doors', 'get pod bay doors']],
  ])('of %j hold no values and come in two ways', (text, expected) => {
    expect(wordings(readRequest(text))).toEqual(expected);
  });
});
