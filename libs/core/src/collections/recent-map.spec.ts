import { RecentMap } from './recent-map.js';

describe('RecentMap', () => {
  it('forgets what has not been asked for lately and keeps what has', () => {
    const map = new RecentMap<number, string>(10);
    map.set(-1, 'rare');
    map.set(-2, 'frequent');
    for (let key = 0; key < 100; key++) {
      map.set(key, String(key));
      expect(map.get(-2)).toBe('frequent');
      expect(map.get(key)).toBe(String(key));
    }
    expect(map.get(-1)).toBeUndefined();
    expect(map.get(0)).toBeUndefined();
  });
});
