/** What stands in the place of a reference to a tool that is not to be declared as deferred. */
export function staleText(name: string, isListed: boolean): string {
  return isListed ? `You can call ${name}.` : `${name} is no longer available.`;
}
