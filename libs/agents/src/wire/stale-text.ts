/** Text that replaces a reference to a tool that is not declared as deferred. */
export function staleText(name: string, isListed: boolean): string {
  return isListed ? `You can call ${name}.` : `${name} is no longer available.`;
}
