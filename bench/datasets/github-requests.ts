/** A request that a person or model could make of GitHub, with the `operationId` of each operation that serves it. */
export interface GithubRequest {
  readonly query: string;
  readonly operations: readonly string[];
}

/**
 * Written by hand before any ranking was seen: plain, short and long requests, some that need several operations, and
 * some that GitHub's API cannot serve.
 */
export const GITHUB_REQUESTS: readonly GithubRequest[] = [
  { query: 'Open a bug report in our repository saying that login is broken', operations: ['issues/create'] },
  { query: 'close an issue', operations: ['issues/update'] },
  { query: 'What did people answer on issue 42?', operations: ['issues/list-comments'] },
  { query: 'Leave a note on this issue that we are looking into it', operations: ['issues/create-comment'] },
  { query: 'Put the label "urgent" on ticket 17', operations: ['issues/add-labels', 'issues/set-labels'] },
  { query: 'Which labels does this project have?', operations: ['issues/list-labels-for-repo'] },
  { query: 'assign octocat to an issue', operations: ['issues/add-assignees', 'issues/update'] },
  { query: 'Stop further discussion on a heated issue', operations: ['issues/lock'] },
  { query: 'Start a milestone for the spring release', operations: ['issues/create-milestone'] },
  {
    query: 'Show everything that is assigned to me',
    operations: ['issues/list', 'issues/list-for-authenticated-user'],
  },
  { query: 'Propose merging my feature branch into main', operations: ['pulls/create'] },
  { query: 'merge the pull request', operations: ['pulls/merge', 'pulls/merge-async'] },
  { query: 'Which files were changed in PR 310?', operations: ['pulls/list-files'] },
  { query: 'Ask Ana and Ben to review my pull request', operations: ['pulls/request-reviewers'] },
  { query: 'approve a pull request', operations: ['pulls/create-review', 'pulls/submit-review'] },
  { query: 'My PR is behind main, bring it up to date', operations: ['pulls/update-branch'] },
  { query: 'Has pull request 12 been merged yet?', operations: ['pulls/check-if-merged', 'pulls/get'] },
  { query: 'Copy the octocat/hello-world repository into my account', operations: ['repos/create-fork'] },
  { query: 'create a new private repository in our organization', operations: ['repos/create-in-org'] },
  { query: 'Delete the repository old-experiments for good', operations: ['repos/delete'] },
  { query: 'Move a repository to another owner', operations: ['repos/transfer'] },
  { query: 'Read the README of a project', operations: ['repos/get-readme'] },
  { query: 'Fetch the text of src/app.ts from the repository', operations: ['repos/get-content'] },
  { query: 'write a file to a repository', operations: ['repos/create-or-update-file-contents'] },
  {
    query: 'What changed between v1.2 and v1.3?',
    operations: ['repos/compare-commits-with-basehead', 'repos/compare-commits'],
  },
  { query: 'newest version that was published of a project', operations: ['repos/get-latest-release'] },
  {
    query: 'Publish release 2.0 with the changelog written automatically',
    operations: ['repos/create-release', 'repos/generate-release-notes'],
  },
  { query: 'attach a binary to a release', operations: ['repos/upload-release-asset'] },
  {
    query: 'Nobody should be able to push to main without a review',
    operations: ['repos/update-branch-protection', 'repos/update-pull-request-review-protection'],
  },
  { query: 'list branches', operations: ['repos/list-branches'] },
  { query: 'In which programming languages is this repository written?', operations: ['repos/list-languages'] },
  {
    query: 'Who has contributed most to this project?',
    operations: ['repos/list-contributors', 'repos/get-contributors-stats'],
  },
  { query: 'Give Maria write access to the repository', operations: ['repos/add-collaborator'] },
  { query: 'How many people visited our repository in the last two weeks?', operations: ['repos/get-views'] },
  { query: 'Call our server whenever somebody pushes', operations: ['repos/create-webhook', 'orgs/create-webhook'] },
  { query: 'find code that uses the function parseDate', operations: ['search/code'] },
  { query: 'search repositories about machine learning with many stars', operations: ['search/repos'] },
  { query: 'Look for people in Berlin who write Rust', operations: ['search/users'] },
  { query: 'Run the deploy workflow by hand', operations: ['actions/create-workflow-dispatch'] },
  {
    query: 'The nightly build failed: try only the broken jobs again',
    operations: ['actions/re-run-workflow-failed-jobs'],
  },
  {
    query: 'stop a running workflow',
    operations: ['actions/cancel-workflow-run', 'actions/force-cancel-workflow-run'],
  },
  {
    query: 'download the logs of a workflow run',
    operations: ['actions/download-workflow-run-logs', 'actions/download-workflow-run-attempt-logs'],
  },
  {
    query: 'Store an API key that our CI jobs in this repository can use',
    operations: ['actions/create-or-update-repo-secret'],
  },
  {
    query: 'clear the actions cache',
    operations: ['actions/delete-actions-cache-by-key', 'actions/delete-actions-cache-by-id'],
  },
  {
    query: 'Which self-hosted runners does our organization have?',
    operations: ['actions/list-self-hosted-runners-for-org'],
  },
  { query: 'Who belongs to our organization?', operations: ['orgs/list-members'] },
  { query: 'Invite a new colleague to the organization by mail', operations: ['orgs/create-invitation'] },
  {
    query: 'Throw a former employee out of the organization',
    operations: ['orgs/remove-member', 'orgs/remove-membership-for-user'],
  },
  { query: 'create team', operations: ['teams/create'] },
  {
    query: 'Add Priya to the platform team',
    operations: [
      'teams/add-or-update-membership-for-user-in-org',
      'teams/add-or-update-membership-for-user-legacy',
      'teams/add-member-legacy',
    ],
  },
  {
    query: 'Does our code contain leaked passwords or tokens?',
    operations: ['secret-scanning/list-alerts-for-repo', 'secret-scanning/list-alerts-for-org'],
  },
  { query: 'vulnerable dependencies of a repository', operations: ['dependabot/list-alerts-for-repo'] },
  {
    query: 'Export the software bill of materials',
    operations: [
      'dependency-graph/export-sbom',
      'dependency-graph/fetch-sbom-report',
      'dependency-graph/generate-sbom-report',
    ],
  },
  { query: 'Follow the user torvalds', operations: ['users/follow'] },
  { query: 'Who am I logged in as?', operations: ['users/get-authenticated'] },
  { query: 'upload my SSH public key', operations: ['users/create-public-ssh-key-for-authenticated-user'] },
  {
    query: 'What is new for me? Show my unread notifications',
    operations: ['activity/list-notifications-for-authenticated-user'],
  },
  { query: 'give this repo a star', operations: ['activity/star-repo-for-authenticated-user'] },
  { query: 'React to the issue with a thumbs up', operations: ['reactions/create-for-issue'] },
  { query: 'Save a code snippet as a private gist', operations: ['gists/create'] },
  { query: 'How many API requests do I have left this hour?', operations: ['rate-limit/get'] },
  { query: 'turn Markdown into HTML', operations: ['markdown/render', 'markdown/render-raw'] },
  { query: 'What does the MIT license say?', operations: ['licenses/get'] },
  {
    query:
      'I am preparing the retrospective for our team. Please collect the commits that went into main during the last month, and for each of the pull requests that were merged tell me which files they touched.',
    operations: [
      'repos/list-commits',
      'pulls/list',
      'pulls/list-files',
      'repos/list-pull-requests-associated-with-commit',
    ],
  },
  {
    query:
      'Our intern has finished. Take away his access to the repository, remove him from the backend team, and then check that none of the open issues is still assigned to him so that nothing gets lost.',
    operations: [
      'repos/remove-collaborator',
      'teams/remove-membership-for-user-in-org',
      'teams/remove-membership-for-user-legacy',
      'teams/remove-member-legacy',
      'issues/list-for-repo',
    ],
  },
  { query: 'Book a table for two at an Italian restaurant tonight', operations: [] },
  { query: 'transcribe this podcast episode', operations: [] },
  { query: 'What will the weather be like in Lisbon tomorrow?', operations: [] },
  { query: 'convert 200 euros to yen', operations: [] },
];
