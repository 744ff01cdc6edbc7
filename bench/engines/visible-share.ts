/** Whether a searcher who may see this share of the tools sees this one; spread evenly over the catalog. */
export function isVisible(id: number, share: number): boolean {
  return Math.floor((id + 1) * share) > Math.floor(id * share);
}
