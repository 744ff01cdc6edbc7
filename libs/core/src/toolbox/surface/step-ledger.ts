import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { MetaKind } from '../meta-tools/meta-tool-spec.js';
import type { ExposureMode, Surface } from './surface.js';

/** What a model was given at one step. */
export interface ShownStep {
  readonly context: ToolContext;
  /** The same object for all steps of one run on this process. */
  readonly run: object;
  /** What a plain list would have shown; the same list as long as nothing of it changes. */
  readonly visible: readonly ToolDefinition[];
  readonly surface: Surface;
}

/** A meta tool that was called by a model and answered. */
export interface MetaAnswer {
  readonly context: ToolContext;
  readonly kind: MetaKind;
  readonly input: unknown;
  readonly answer: unknown;
}

/** Told what models are shown and what they search with; implemented one floor up. Must not throw. */
export interface StepLedger {
  /** Whether steps in this mode are counted at all. */
  isOn(mode: ExposureMode): boolean;
  shown(step: ShownStep): void;
  answered(answer: MetaAnswer): void;
}
