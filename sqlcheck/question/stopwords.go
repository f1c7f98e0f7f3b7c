package question

// stopWords of English, German, Spanish and French: words that build a sentence, or a question, and name nothing in it. A value that is
// spelled like one ("on", "it", "us") is no value there.
var stopWords = setOf(`
a about above after all also am an and any are as at be been before below between but by can could did do does each either ever every few for from get give had has have
he her here him his how i if in into is it its just last least less let list many may me might more most much must my no none nor not now of off on once one only or other our out over own per please
same shall she should show so some such tell than that the their them then there these they this those through to too under until up us very was we were what when where which while who whom whose why will with within without would you your
amount average count different distinct eight five four kind list maximum mean minimum name names nine number numbers person persons people seven six sum ten three times total two
aber alle als am an anzahl auch auf aus bei bis da das dass dem den der des die dies diese dieser doch du durch ein eine einem einen einer eines er es für gab gibt hat haben hatte ich ihr ihre im in ist ja jede jeder jedes kein keine man mit nach name namen nicht noch nur ob oder ohne pro sein seine sich sie sind so über um und uns unter viel viele von vor wann war waren warum was welche welchem welchen welcher welches wenn wer werden wie wieviele wir wird wo wurde wurden zeige zu zum zur
al algo ante como con cual cuales cuando cuanta cuantas cuanto cuantos cuál cuáles cuántas cuántos cómo de del desde donde dos dónde e el ella ellas ellos en entre era es esa ese eso esta este esto están está fue ha han hasta hay la las lo los me mi muy más ni no nombre nombres nos número o para pero por porque que quien quienes qué quién se ser si sin sobre son su sus también te tiene tienen todas todo todos tu u un una unas uno unos y ya yo
au aux avec ce ces cet cette chaque combien comment dans de des donc du elle elles en est et eu eux il ils je la le les leur leurs lui ma mais me même mes moi mon ne nom nombre noms nos notre nous on ont ou où par pas plus pour qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sous sur ta tes toi ton tous tout toute toutes tu un une vers vos votre vous été était y à
`)

// IsStopWord reports whether a word in lower case builds sentences and names nothing.
func IsStopWord(word string) bool { return stopWords[word] }
