export { ToolSearchHealthIndicator } from './terminus/tool-search-health.indicator.js';
