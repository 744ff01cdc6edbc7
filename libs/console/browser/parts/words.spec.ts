import { counted, deedName, obeyed, subjectName } from './words.js';

describe('the words of the console', () => {
  it('have a singular and a plural', () => {
    expect([0, 1, 2].map((number) => counted(number, 'tool'))).toEqual(['0 tools', '1 tool', '2 tools']);
    expect(counted(1234, 'reply', 'replies')).toBe('1,234 replies');
    expect([obeyed(1, 1), obeyed(1, 2), obeyed(0, 2)]).toEqual([
      '1 of 1 instance obeys',
      '1 of 2 instances obey',
      '0 of 2 instances obey',
    ]);
  });

  it('name a request that was refused as its route does, and any other subject as it is', () => {
    expect(subjectName('admin.refused', 'releaseKillSwitch')).toBe('“release kill switch”');
    expect(subjectName('policy.set', 'tenant Acme')).toBe('tenant Acme');
  });

  it('name what a caller did', () => {
    expect([deedName('shown'), deedName('new kind')]).toEqual(['was shown', 'new kind']);
  });
});
