// Answers of the routes for operators, as far as the console shows them. Records of the core package are its own types.
import type { KillSwitch as StoredSwitch } from '@tool-search/core';
import type { SourceLoad } from '@tool-search/core/operators';
import type { ControlInstance as Instance } from '@tool-search/core/stores';

export type { Explanation } from '@tool-search/core';
export type { LayerVerdict } from '@tool-search/core/operators';
export type { Instance };

export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

export interface Status {
  readonly state: 'ready' | 'stale' | 'closed';
  readonly revision: number;
  readonly ageMs: number | null;
  readonly writable: boolean;
  readonly reason?: string;
  readonly instanceId: string;
  readonly instances?: readonly Instance[];
  readonly counts: {
    readonly tools: number;
    readonly sources: number;
    readonly sourcesNotReady: number;
    readonly killSwitches: number;
    readonly reported: number;
    readonly quarantined: number;
  };
  readonly queues: readonly SourceLoad[];
}

export interface CatalogTool {
  readonly name: string;
  readonly kind?: string;
  readonly title?: string;
  readonly source: string;
  readonly owner: string;
  readonly namespace: string;
  readonly tags: readonly string[];
  readonly sideEffects: string;
  readonly loading: string;
  readonly hash: string;
  readonly suspicion?: string;
  readonly finding?: { readonly code: string; readonly reason: string };
  readonly verdict?: string;
  readonly killedBy?: string;
}

export interface Definition {
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly aliases: readonly string[];
  readonly exampleQueries: readonly string[];
  readonly hash: string;
}

export interface KillSwitch extends StoredSwitch {
  readonly live: boolean;
}

export interface SwitchChanged {
  readonly revision: number;
  readonly warning?: string;
  readonly instances?: readonly Instance[];
  readonly pending?: readonly string[];
}

export interface BlastRadius {
  readonly matched: number;
  readonly tools: readonly string[];
  readonly sources: readonly string[];
  readonly alreadyOff: number;
  readonly activations: number;
  readonly tenants: readonly string[];
  readonly isCut: boolean;
  readonly callsLastHour: number;
  readonly refusedLastHour: number;
  readonly callingTenants: readonly string[];
  readonly isCallsCut: boolean;
  readonly isRecorded: boolean;
  readonly everything: boolean;
  readonly revision: number;
}

export interface ScorePart {
  readonly field: string;
  readonly word?: string;
  readonly as?: string;
  readonly score: number;
}

export interface SearchPreview {
  readonly verdict: string;
  readonly hits: readonly {
    readonly name: string;
    readonly description: string;
    readonly score: number;
    readonly match: string;
    readonly why?: readonly string[];
    readonly parts: readonly ScorePart[];
    readonly tokens: number;
  }[];
  readonly unmatched: readonly string[];
  readonly notice?: string;
  readonly hint?: string;
  readonly answerTokens: number;
  readonly tokenizer: string;
}

interface PreviewedTool {
  readonly name: string;
  readonly description: string;
  readonly tokens: number;
}

export interface SurfacePreview {
  readonly mode: string;
  readonly reason: string;
  readonly tools: readonly PreviewedTool[];
  readonly listed: number;
  readonly visible: number;
  readonly meta: readonly PreviewedTool[];
  readonly prompt: { readonly guidance?: string; readonly directory?: string; readonly hints?: string };
  readonly shownTokens: number;
  readonly fullTokens: number;
  readonly tokenizer: string;
}

export interface ViewSide {
  readonly visible: number;
  readonly only: number;
  readonly tools: readonly { name: string; layer?: string; rule?: string; reason?: string }[];
}

export interface ViewDiff {
  readonly both: number;
  readonly left: ViewSide;
  readonly right: ViewSide;
}
