/** What the starter module needs and an application lacks, by name. */
export function addedDependencies(
  manifest: {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  },
  version: string,
): Record<string, string> {
  const present = { ...manifest.devDependencies, ...manifest.dependencies };
  const nest = Number(/\d+/.exec(present['@nestjs/common'] ?? '')?.[0] ?? 12);
  const wanted = {
    '@tool-search/typeorm': `^${version}`,
    // Those of NestJS 11 have a CommonJS form, which its applications and their tests expect.
    '@nestjs/typeorm': nest < 12 ? '^11.0.0' : '^12.0.0',
    typeorm: nest < 12 ? '^0.3.20' : '^1.1.0',
    zod: '^4.2.0',
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => present[name] === undefined));
}
