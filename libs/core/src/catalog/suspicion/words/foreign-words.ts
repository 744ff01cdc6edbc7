import type { WordClass } from './lexicon.js';

// The class TELL, and other classes that include its words.
const TELLING = `sag sage sagen sagt erzahl* informier* erwahn* mitteil* verrat* zeig* benachrichtig* dis dites dire dit mentionn* inform*
    revel* montr* averti* parle* prevenir digas diga decir dile menciones menciona* revel* muestr* avis* notifi* dica dirlo dirgli
    menzion* rivel* mostr* avvis* dizer conte mencion* vertel* meld* noem mow powiadam* wspomin* ujawnia* soyle* bildir* bahset*
    говори* сообща* сообщи* упомина* раскрыва* показыва* информир* рассказ* уведомл* повідомля* 告诉 告訴 告知 提及 通知 透露 提到 提醒 告诉 说出
    知らせ 伝え 言わ 教え 言及 明かさ 話さ 触れ 알리* 말하* 언급* 알려* 보여* 공개* تخبر* تذكر* बताए* बताएं बताना बताओ beritahu`;

/**
 * The most frequent concepts in other languages: German, French, Spanish, Portuguese, Italian, Dutch, Polish, Turkish,
 * Russian, Ukrainian, Chinese, Japanese, Korean, Arabic, Hindi, Vietnamese, Indonesian.
 */
export const FOREIGN_WORDS: Partial<Record<WordClass, string>> = {
  IGNORE: `ignorier* vergiss vergessen missacht* uberschreib* ubergeh* ignorez oublie oubliez oublier outrepass* ignorar ignora
    ignores olvida olvide olvidar omite desestim* descart* desconsider* esqueca esquecer dimentica dimenticare ignorare
    tralascia negeer* vergeet zignoruj* zapomnij pomin* yoksay* unut gormezden игнорир* проигнорир* забудь* забыть забудьте
    отбрось* ігнору* 忽略 忽視 无视 無視 忘记 忘記 忘掉 不理会 忘れ 무시* 잊* تجاهل* انس* अनदेखा नजरअंदाज भूल abaikan lupakan`,
  PREVIOUS: `vorherig* bisherig* vorangegangen* fruher* obig* alle anterieur* precedent* toutes tous anterior* previa* previo*
    todas todos precedenti precedente tutte tutti vorige eerdere alle poprzedni* wczesniejsz* wszystki* onceki tum предыдущ*
    прежн* все ранн* попередн* 之前 以前 先前 上述 前面 所有 此前 以上 これまで すべて 全て 前の 이전* 앞선 모든 기존* السابق* جميع
    पिछले सभी sebelumnya semua truoc`,
  ORDERS: `anweisung* vorgabe* befehl* instruktion* consigne* directive* instruccion* indicacion* directric* istruzion* direttiv*
    instruco* diretriz* instructies opdracht* instrukcj* polecen* talimat* komut* инструкц* указан* команд* правил* інструкц*
    вказівк* 指令 指示 说明 提示词 命令 规则 規則 指導 プロンプト 命令 지시* 명령* 지침* التعليمات تعليمات الاوامر निर्देश* instruksi lenh`,
  NOT: `n ne nicht nichts rien nada niente nichego ничего kein keine keinen niemals nie pas jamais aucun* nunca jamas non mai nao niet nooit nie nigdy не никогда ні 不要 不得 请勿 請勿
    切勿 不可 不能 别 勿 绝不 絶対に ないで ません なく しない ては 말* 마세요 않* 없이 لا मत नहीं jangan dung khong ikke inte`,
  WITHOUT: `ohne sans sin senza sem zonder bez без 无需 未经 不经 ずに なしで 없이 بدون दون बिना tanpa`,
  TELL: TELLING,
  SAY: TELLING,
  USER: `benutzer* nutzer* anwender* utilisat* usager* usuari* utent* gebruiker* uzytkownik* kullanici* пользовател* користувач*
    用户 用戶 使用者 ユーザー ユーザ 利用者 사용자* 유저* المستخدم للمستخدم उपयोगकर्ता pengguna`,
  SECRETLY: `heimlich stillschweigend unbemerkt discretement secretement silencieusement silenciosamente discretamente sigilosamente
    segretamente silenziosamente secretamente stiekem potajemnie gizlice sessizce тайно незаметно скрытно 悄悄 秘密地 偷偷 暗中 静默 密かに こっそり
    黙って 몰래 은밀* سرا चुपचाप गुप्त diam-diam`,
  KNOWING: `wissen wisse sache savoir sepa saber sappia sapere saiba знал знает 知道 알게 气づ`,
  SECRET: `passwort* passworter kennwort* zugangsdaten schlussel geheimnis* motdepasse identifiants secrets contrasena* credenciales
    clave claves senha* credenciais password chiavi wachtwoord* haslo hasla sifre* пароль* парол* ключ* учетны* 密码 密碼 密钥 密鑰 凭证 口令 令牌
    パスワード 認証情報 秘密鍵 비밀번호* 암호* 자격증명 키를 كلمات पासवर्ड`,
  READ: `lies lese lesen lis lisez lire lee lea leer leggi leggere leia ler lees przeczytaj oku прочита* прочти читай 读取 讀取 查看 获取 収集
    收集 読み取 読んで 読み込 읽* اقرا पढ़ें पढ़*`,
  SEND: `sende senden schick* ubermittl* fuge ubergib weiterleit* envoie envoyez envoyer transmet* inclus incluez ajoute* transfer*
    envia envie enviar envialo incluye incluya anade agrega invia inviare includi inoltra inclua encaminh* adicion* stuur verstuur
    wyslij przeslij dolacz gonder* ekle отправ* перешл* передай* включи* добавь* 发送 發送 传递 上传 附上 包含 放入 填入 转发 送信 渡し 含め 転送 添付
    보내* 전송* 포함* 전달* 첨부* ارسل भेजें भेज* kirim`,
  MOVE: `sende senden schick* weiterleit* envoie envoyez envoyer envia envie enviar invia inviare inoltra encaminh* stuur verstuur
    wyslij przeslij gonder* отправ* перешл* 发送 發送 上传 转发 送信 転送 보내* 전송* ارسل`,
  TALK: `gesprach* unterhaltung* konversation* conversacion* conversazion* conversa* gesprek rozmow* sohbet разговор* переписк* диалог* 对话
    對話 会话 聊天 会話 やり取り やりとり チャット 대화* المحادثة`,
  PAST: `verlauf gesprachsverlauf historique historial cronologia historico geschiedenis histori* gecmis истори* 历史 歷史 记录 履歴 기록* 내역`,
  TOOL: `werkzeug* outil* herramient* strument* ferrament* gereedschap narzedz* arac инструмент* 工具 ツール 도구* أداة اداة`,
  OTHER: `andere anderen anderes autre autres otra otras otro otros altro altri altra altre outra outras outro outros inne baska другие
    другого других другой 其他 其它 任何 他の ほか 다른* اخرى`,
  ELSE: `anderen autre autres otra otras otro otros altro altri altra outra outras outro outros другие других другой 其他 其它 他の 다른*`,
  ALWAYS: `immer toujours siempre sempre altijd zawsze her всегда 总是 始终 必须 一律 务必 常に 必ず 항상 반드시 دائما`,
  CHOOSE: `verwende verwenden benutze nutze rufe utilise utilisez utiliser usa usar utiliza utilice usare utilizza usi gebruik uzyj uzywaj
    kullan используй* используйте вызыва* 使用 调用 選択 选择 使って 使用して 사용하* 호출* استخدم`,
  CONSENT: `bestatig* zustimmung erlaubnis genehmig* confirmation autorisation confirmacion permiso conferma permesso consenso
    confirmacao permissao bevestig* toestemming potwierdz* onay подтвержд* разрешен* соглас* 确认 確認 许可 同意 授权 許可 確認 확인* 동의* 승인* تاكيد`,
};
