/** Whether a tool is visible to a caller who may see this share of the tools, spread evenly over the catalog. */
export function isVisible(id: number, share: number): boolean {
  return Math.floor((id + 1) * share) > Math.floor(id * share);
}
