/** An immutable set of tools of one snapshot: a bit set over dense ids, small and fast enough for a scoring loop. */
export class ToolSet {
  private readonly words: Uint32Array;
  readonly size: number;
  #fingerprint?: string;

  private constructor(words: Uint32Array, size: number) {
    this.words = words;
    this.size = size;
  }

  /** The set of all ids below `length` that `accepts` returns true for. */
  static of(length: number, accepts: (id: number) => boolean): ToolSet {
    const words = new Uint32Array((length + 31) >>> 5);
    let size = 0;
    for (let id = 0; id < length; id++) {
      if (!accepts(id)) continue;
      words[id >>> 5] = (words[id >>> 5] ?? 0) | (1 << (id & 31));
      size += 1;
    }
    return new ToolSet(words, size);
  }

  has(id: number): boolean {
    return ((this.words[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0;
  }

  /** The ids in ascending order. */
  *ids(): IterableIterator<number> {
    for (let word = 0; word < this.words.length; word++) {
      for (let bits = this.words[word] ?? 0; bits !== 0; bits &= bits - 1) {
        yield word * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
  }

  filter(accepts: (id: number) => boolean): ToolSet {
    return ToolSet.of(this.words.length * 32, (id) => this.has(id) && accepts(id));
  }

  /** Number of tools in both sets. */
  overlapWith(other: ToolSet): number {
    let count = 0;
    for (let word = 0; word < this.words.length; word++) {
      for (let bits = (this.words[word] ?? 0) & (other.words[word] ?? 0); bits !== 0; bits &= bits - 1) count += 1;
    }
    return count;
  }

  /** Equal for equal sets over one snapshot; used as a cache key. */
  get fingerprint(): string {
    this.#fingerprint ??= Buffer.from(this.words.buffer, this.words.byteOffset, this.words.byteLength).toString(
      'base64',
    );
    return this.#fingerprint;
  }
}
