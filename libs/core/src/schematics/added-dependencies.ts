/** The dependencies of the starter module that the application does not have yet: version range by package name. */
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
    // The packages for NestJS 11 have a CommonJS build, which its applications and their tests expect.
    '@nestjs/typeorm': nest < 12 ? '^11.0.0' : '^12.0.0',
    typeorm: nest < 12 ? '^0.3.20' : '^1.1.0',
    zod: '^4.2.0',
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => present[name] === undefined));
}
