import { type Concept, concept } from './lexicon.js';

/** A guess: a sentence that contains all of these concepts, close to each other, is worth an operator's look. */
export interface InspectionRule {
  readonly code: string;
  /** Follows the field's name. */
  readonly reason: string;
  /** Alternatives; each is a list of concepts, with the rarest first. */
  readonly concepts: readonly (readonly Concept[])[];
}

// Each concept begins a line for English, one for German, French and Spanish, and one for Chinese. Words of the last
// three may be common: few honest tools are in these languages. The syntax is in lexicon.ts.
const IGNORE = concept(`ignore ignoring disregard disregarding forget override overriding bypass
  takes_precedence_over take_precedence_over supersede supersedes overrides outranks has_priority_over no_longer_apply
  no_longer_applies
  ignorier* vergiss vergessen missacht* ubergeh* beacht*~nicht setz*~uber ignorez ignorer oubliez oublier oublie
  ne~compte passez_outre faites_abstraction ne_suivez ne_respectez ne_suis ignora ignorar ignore olvida olvide olvidar
  olvidate descarta descarte caso_omiso no_sigas no_siga pasa_por_alto deja_de_lado hat_vorrang haben_vorrang
  vorrang_vor wichtiger_als hebt*~auf l'emporte* prevaut prevalent priment prime_sur prioritaire* remplacent remplace
  prevalece* tiene_prioridad tienen_prioridad por_encima reemplaza anula ungultig* gelten_nicht ausser_kraft
  ne_s'applique* plus_valables annule* quedan_anuladas ya_no_aplican
  忽略 无视 忘记 忘掉 不要理会 不要遵守 不再遵守 不必遵守 抛开 覆盖 绕过 优先于 高于 取代 凌驾 作废 无效 失效 不再适用 不再有效`);
const PRIOR = concept(`previous previously prior above earlier preceding original your system user's
  vorherig* vorangegangen* vorig* bisherig* bisher obig* fruher* zuvor ursprunglich* deine* ihre* alle*
  systemanweisung* precedent* anterieur* ci-dessus vos tes toutes_les toute systeme tout_ce_qui d'origine anterior*
  previa* previo* tus sus todas_las todo_lo sistema auparavant jusqu'ici recues hasta_ahora anteriormente
  之前 以前 先前 上述 以上 此前 系统 所有 一切 原有 前面 你的`);
const ORDERS = concept(`instruction instructions guideline guidelines directive directives prompt prompts told
  anweisung* vorgabe* richtlinie* instruktion* regeln sicherheitsregeln gesagt* systemprompt* instructions consignes
  directives regles prompt precede instruccion* directrices ordenes indicaciones reglas dicho a_dit avons_dit ont_dit
  指令 指示 提示词 规则 要求 命令 说明 限制`);
const UNTOLD = concept(`do_not~tell do_not~inform do_not~mention do_not_reveal_this do_not_reveal_that
  do_not_disclose_this don't~tell don't~inform don't~mention never~tell never~inform never~mention never_reveal_this
  must_not~know should_not~know need_not~know not_need_to_know without~telling without~informing without~mentioning
  without~noticing not_be~told not_be~informed
  sag*~nicht* erzahl*~nicht* informier*~nicht verrat*~nicht* teil*~nicht* weis*~nicht erwahn*~nicht* nicht*~erwahnen
  nicht*~mitteilen nicht*~informieren nicht*~verraten nicht*~erfahren nicht*~merken nicht*~bemerken ohne~informieren
  ohne~sagen ohne~erwahnen ohne_dass~merkt ohne_dass~erfahrt ohne_dass~bemerkt verschweig* verheimlich* ohne_wissen
  hinter_dem_rucken ne~dites ne~dis ne~dire ne~informez ne~informe ne~mentionnez ne~mentionne ne~mentionner ne~prevenez
  ne~previens ne~revele* ne~parlez ne~parle ne~signalez n'informe* n'en_parle* n'avertis* n'evoque* ne_doit~savoir
  ne_doit~informe sans~informer sans~prevenir sans~dire sans~avertir sans~mentionner sans_que~sache sans_le_dire
  a_l'insu cachez cache~a no~digas no~diga no~decir no~informes no~informe no~informar no~menciones no~mencione
  no~mencionar no~avises no~avise no~avisar no~reveles no~revele no~comentes no~notifiques no_debe~saber
  no_debe~enterar* sin~informar sin~avisar sin~decir sin~mencionar sin~notificar sin_que~sepa sin_que~entere
  sin_que~note a_espaldas n'indiquez n'expliquez no_le_digas no_expliques no_muestres oculta~usuario dissimulez
  nicht~gegenuber erwahn*~niemals erwahn*~nie sag*~niemals verrat*~niemals niemals~erwahnen niemals~informieren
  不得告知 切勿告知 请勿告知 勿告知 无需告知 无需通知 不必告知 请勿提及 隐瞒 瞒着 不能让用户知道 让用户察觉 不得向用户 切勿向用户 请勿向用户 不向用户 对用户隐瞒 不通知用户 不告知用户 不要*告诉 不*告知 不要让*知道
  不让*知道 不要*提及 不要*提到 不得*提及 别*告诉 不能*告诉 不得*透露 不要*透露`);
const USER = concept(`your_answer your_response your_reply your_summary this_step this_action about_this about_it
  user users human customer customers people anyone client operator
  benutzer* nutzer* anwender* kunde* niemand* antwort* utilisateur* l'utilisateur* client* personne usager* reponse*
  cette_etape usuario* cliente* nadie persona respuesta* este_paso
  用户 使用者 客户 任何人 使用人 对方 回复 回答`);
const COVERTLY = concept(`secretly covertly surreptitiously discreetly silently_send silently_forward silently_upload
  silently_copy quietly_send quietly_forward
  heimlich* unbemerkt unauffallig* stillschweigend* secretement discretement en_secret en_cachette secretamente
  en_secreto discretamente a_escondidas
  悄悄 偷偷 暗中 秘密地 秘密发送 私下`);
const SEND = concept(`send sends sending forward forwards upload uploads transmit bcc exfiltrate leak relay post
  sende senden sendet schick* ubermitt* ubertrag* weiterleit* weiterzuleiten leite leiten lade laden hochlad* poste
  verschick* versend* transmet* transfer* televers* relay* envia enviar envie envialo enviala enviando manda mandar
  mande reenvi* sube subir suba transmite transmitir remite publica envoyez envoie envoyer expediez communiqu* partagez
  partage adressez exfiltr* compart* transmita envien weitergeb* weitergib*
  发送 上传 转发 传送 发到 发给 传给 传到 推送 回传 寄送 发往 上报 同步到 寄到 转给`);
const PASS = concept(`submit pass include attach paste copy append hand put provide give supply fill repeat
  kopier* anhang* hang* fuge fugen gib geben ubergib* ubergeb* ubergab* trage eintragen setze schreibe beifug* mitgeb*
  mitschick* nenn* wiederhol* copie* copiez copier joign* joindre ajout* fourni* mettez mets passe passez indique*
  recopi* insere* copia copiar incluye incluir incluya adjunt* anad* agreg* pasa pasar pase pon ponga proporcion* pega
  repite escrib* inserta rellena placez incluez inclure inclus hinzu* ubernimm
  附上 附加 附带 包含 包括 复制 填入 填写 提供 放入 传入 写入 粘贴 作为参数 一并 重复 放到 写到 填到 传递 加入`);
const HAND_OVER = [...SEND, ...PASS];
const TALK = concept(`this_conversation our_conversation the~conversation conversation_history conversation_so_far
  chat_history chat_log chat_logs message_history system_prompt system_message user's_messages everything_the_user
  unterhaltung* gesprach* chatverlauf* verlauf systemprompt* system-prompt* systemanweisung* systemnachricht*
  la~conversation conversation_complete l'historique historique prompt_systeme invite_systeme message_systeme echanges
  la~conversacion conversacion_completa conversacion historial prompt_del_sistema mensaje_del_sistema
  cette~conversation cette_discussion fil_de_discussion esta~conversacion dialogverlauf* tous_les_messages
  messages_precedents todos_los_mensajes mensajes_anteriores alle*~nachrichten
  对话 聊天记录 系统提示 聊天历史 聊天内容 当前会话 整个会话 所有消息 历史消息`);
// Also the words for an argument: both turn a mention of the conversation into a request for it.
const WHOLE = concept(`entire full complete whole verbatim word_for_word everything parameter argument field
  our_server external_server remote_server
  gesamt* ganz* vollstandig* komplett* wortlich* alle* entier* complet* integral* tout toute toutes tous entero entera
  completo completa integra toda todas todos todo_el todo_lo feld parameter argument parametre champ parametro campo
  argumento externe* serveur_externe serveur_distant notre_serveur servidor_externo servidor_remoto nuestro_servidor
  unseren_server
  完整 全部 整个 所有 逐字 一切 全文 参数 字段 参数中 外部服务器 远程服务器 我们的服务器 第三方`);
const FOUND = concept(`found you_have you_see you_know you_can_find available_to_you you_find in_your_context
  external_server our_server
  findest finden kennst gefunden* bekannt* sichtbar* vorkomm* enthalten* trouve* trouvez connais* connaissez vois
  disponible* apparai* encuentr* conozcas conoces veas aparez* externe* serveur_distant notre_serveur servidor_externo
  nuestro_servidor unseren_server
  你知道 找到 你看到 你能 出现 发现 可见 其中 外部服务器 远程服务器 我们的服务器 第三方`);
const SECRET = concept(`password passwords passphrase api_key api_keys api-keys secrets credential credentials
  private_key private_keys ssh_key ssh_keys access_key access_keys access_tokens auth_tokens environment_variables
  env_vars credit_card
  passwort* kennwort* zugangsdaten api-schlussel* schlussel* umgebungsvariable* anmeldedaten kreditkarte* geheimnis*
  mot_de_passe mots_de_passe identifiants cle_api cles_api cle_d'api cles cle_privee cle_ssh jeton*
  variables_d'environnement carte_bancaire contrasena* credencial* claves clave_api clave_privada clave_de_api
  variables_de_entorno tarjeta_de_credito secretos personenbezogen* personliche*_daten benutzerdaten
  donnees_personnelles datos_personales datos_del_usuario
  密码 密钥 凭证 凭据 令牌 私钥 环境变量 口令 信用卡 个人信息 用户数据 隐私`);
const PRIVATE_FILE =
  /(?:~|\$home|\/home\/\w{1,30}|\/root|\/users\/\w{1,30})\/\.(?:ssh|aws|kube|netrc|gnupg|git-credentials|cursor|claude)\b(?![^,;]{0,30}\.pub)|\bid (?:rsa|ed25519)\b(?!\.pub)|\/etc\/(?:passwd|shadow)\b|\.env\b|\bmcp\.json\b/;
const READ = concept(`read open load cat fetch contents content
  lies lesen lese offne offnen inhalt* einlesen lade lisez lire lis ouvrez ouvre contenu lee leer lea abre abrir
  contenido carga
  读取 打开 内容 读出 查看 加载`);
const ADDRESS = /https?:\/\/|\bwww\.|[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2}|\b[a-z]{2}\d\d(?: ?\d{4}){3}/;
const OTHER_TOOLS = concept(`other~tool other~tools other~server other~servers alternative_tools competing_tools
  ander*~werkzeug* ander*~tool* ander*~dienst* alle_ubrigen autre~outil autres~outils autres_serveurs autres~fonctions
  otra~herramienta otras~herramientas otros_servidores demas_herramientas cualquier_otra n'importe_quel_autre
  其他工具 其它工具 其他任何工具 任何其他工具 任何其它工具 别的工具 其他的工具 同类工具 其他同类 其他服务`);
const INSTEAD = concept(`instead rather_than always never ignore deprecated outdated broken unsafe insecure
  unreliable obsolete
  statt anstatt anstelle immer niemals nie nicht kein* veraltet* unsicher* unzuverlassig* defekt* fehlerhaft* vorrang
  bevorzug* ausschliesslich ignorier* zuerst au_lieu plutot toujours jamais obsoletes obsolete dangereux priorite avant
  ignorez exclusivement a_la_place fiables en_lugar en_vez siempre nunca obsolet* inseguro* prioridad prefier* antes
  ignora exclusivamente no_uses no_use no_utilices preferenti*
  而不是 代替 替代 始终 总是 优先 不要使用 不要用 不得使用 禁止使用 过时 不安全 不可靠 首先 必须 一律 弃用`);
const SELF = concept(`this_tool this_one this_function this_server
  dies*_werkzeug* dies*_tool* dies*_funktion cet_outil cette_fonction ce_service esta_herramienta esta_funcion
  este_servicio
  本工具 此工具 这个工具 该工具 本函数`);
const ANYTHING = concept(`every_question every_request every_task every_query every_message every_turn no_matter_what
  whatever_the_user regardless_of~asks regardless_of~request highest_priority top_priority
  jede*_anfrage jede*_frage jede*_aufgabe jede*_nachricht bei_jeder egal_was unabhangig_davon unabhangig_von
  hochste*_prioritat immer_zuerst als_erstes chaque_question chaque_demande chaque_requete chaque_message toute_demande
  toutes_les_demandes quelle_que_soit quel_que_soit priorite_absolue priorite_maximale toujours~premier cada_pregunta
  cada_solicitud cada_peticion cada_mensaje cualquier_solicitud todas_las_solicitudes sin_importar
  independientemente_de maxima_prioridad siempre~primero
  每个问题 每次请求 任何请求 所有请求 每个请求 每次对话 无论用户 不管用户 最高优先级 任何问题 每次都`);
const RECIPIENT = concept(`recipient recipients bcc cc iban account_number beneficiary destination_address payee
  wallet
  empfanger* kontonummer konto kopie blindkopie bankverbindung destinataire* beneficiaire compte_bancaire copie iban
  destinatari* beneficiario cuenta_bancaria copia cuenta
  收件人 收款 抄送 密送 账户 副本 收款人`);
const SWAP = concept(`replace replaced change changed redirect always set add instead
  ersetz* ander* immer setz* umleit* fuge hinzu* stets jede* remplac* changez changer toujours redirig* ajout* chaque
  mettez reemplaz* cambi* siempre sustitu* anad* agreg* pon cada
  替换 改为 更改 始终 总是 添加 改成 一律 都要 每次`);
const UNASKED = concept(`do_not~ask~confirmation do_not~ask~permission do_not~ask~approval don't~ask~confirmation
  don't~ask~permission never~ask~confirmation never~ask~permission no_need_to_ask no_confirmation_is_needed
  frag*~nicht ohne~nachfrage ohne~ruckfrage ohne_zu_fragen keine_bestatigung keine_ruckfrage keine~zustimmung
  sans~accord ne~demandez ne_demande~confirmation aucune_confirmation inutile_de_demander no~pidas no~pida no_preguntes
  no_solicites sin_preguntar sin_solicitar sin~consentimiento no_es_necesario~confirm* ohne~zu_fragen sans_lui_demander
  sin_preguntarle sin_pedirle sin_pedir~permiso sans~l'accord sans~consentement ohne~einwilligung sans_demander
  sans~autorisation sans~confirmation sin_pedir sin~confirmacion ohne~bestatigung ohne~zustimmung n'attendez_pas
  不要询问 无需征求 不要请求 不必询问 无需询问 未经用户 无需用户确认 不需要用户确认 无需经过用户 无需向用户 不要征求`);
const AGREED = concept(`already~approved already~consented already~authorized already~agreed already~confirmed
  pre-approved
  bereits~zugestimmt bereits~genehmigt bereits~erlaubt bereits~bestatigt bereits~eingewilligt schon~zugestimmt
  deja~accepte deja~approuve deja~autorise deja~consenti deja~valide deja_donne ya~aprobado ya~aprobo ya~autorizado
  ya~autorizo ya~aceptado ya~acepto ya~consentido ya_dio ya_ha_dado
  已经同意 已同意 已授权 已经授权 已经批准 已批准 已经确认`);
const PERSONA = concept(`you_are_now you_are_no_longer pretend_to_be pretend_you_are developer_mode jailbreak
  unrestricted_mode act_as_if~no
  du_bist_jetzt du_bist_nun du_bist_ab sie_sind_jetzt sie_sind_nun du_bist_kein* uneingeschrankt* entwicklermodus
  tu_es_desormais tu_es_maintenant vous_etes_desormais vous_etes_maintenant vous_n'etes_plus mode_developpeur
  sans_restriction* ahora_eres eres_ahora a_partir_de_ahora_eres ya_no_eres usted_es_ahora modo_desarrollador
  sin_restricciones
  你现在是 从现在起你 从现在开始你 不再是 开发者模式 不受限制 没有限制 扮演`);
const LATER = concept(`after_the_third~call after_three_calls after_the_fifth~call from_now_on future_conversations
  future_sessions your_memory your_long-term_memory
  ab_jetzt ab_sofort von_nun_an nach_dem_dritten_aufruf zukunftig* kunftig* gedachtnis* a_partir_de_maintenant
  dorenavant desormais futures_conversations votre_memoire ta_memoire a_partir_de_ahora de_ahora_en_adelante
  en_adelante futuras_conversaciones tu_memoria
  从现在开始 从现在起 今后 以后每次 以后所有 长期记忆 记住`);

/** The rules of the default inspector. */
export const INSPECTION_RULES: readonly InspectionRule[] = [
  rule('override', 'asks to ignore instructions', [ORDERS, IGNORE, PRIOR]),
  rule('concealment', 'asks to hide something from the user', [UNTOLD, USER], [COVERTLY]),
  rule(
    'exfiltration',
    'asks for secrets or for the conversation',
    [TALK, SEND, ADDRESS],
    [SECRET, SEND, ADDRESS],
    [TALK, SECRET, HAND_OVER],
    [TALK, WHOLE, HAND_OVER],
    [SECRET, FOUND, HAND_OVER],
    [SECRET, USER, WHOLE, HAND_OVER],
    [READ, PRIVATE_FILE, HAND_OVER],
    [READ, PRIVATE_FILE, WHOLE],
  ),
  rule('preference', 'sets itself above other tools', [OTHER_TOOLS, INSTEAD], [ANYTHING, SELF]),
  rule('recipient', 'names who receives something in other calls', [RECIPIENT, SWAP, ADDRESS]),
  rule('consent', 'asks to act without the user’s consent', [UNASKED, USER], [AGREED, USER]),
  rule('trigger', 'asks to behave differently later', [LATER, SEND], [LATER, IGNORE], [LATER, ORDERS]),
  rule('persona', 'asks the model to be somebody else', [PERSONA]),
];

function rule(code: string, reason: string, ...concepts: readonly (readonly Concept[])[]): InspectionRule {
  return { code, reason, concepts };
}
