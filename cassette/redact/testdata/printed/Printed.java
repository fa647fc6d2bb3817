import java.util.*;
public class Printed {
 static final String NAME = "xNAMEx", VALUE = "xVALUEx";
 record Settings(String user, String xNAMEx, int timeout, int apiKeyCount, String tokenType, int maxTokens) {}
 record Last(int timeout, String xNAMEx) {}
 record App(boolean debug, Settings settings, int port) {}
 static void show(String form, String text) { System.out.println("-- java: " + form + " --\n" + text); }
 public static void main(String[] a) {
  var s = new Settings("ann", VALUE, 3, 2, "bearer", 100);
  var m = new LinkedHashMap<String,Object>(); m.put("user","ann"); m.put(NAME, VALUE); m.put("timeout",3); m.put("api_key_count",2); m.put("token_type","bearer"); m.put("max_tokens",100);
  show("record", s.toString()); show("record with the field last", new Last(3, VALUE).toString()); show("record in a record", new App(true, s, 80).toString());
  show("list of records", List.of(s, s).toString()); show("optional", Optional.of(s).toString());
  show("map", m.toString()); show("map of lists", Map.of(NAME, List.of(VALUE)).toString()); show("map in a map", Map.of("settings", m).toString());
  show("entry", Map.entry(NAME, VALUE).toString()); show("properties", new Properties(){{ put(NAME, VALUE); }}.toString());
  show("record of an IDE", "Settings{user='ann', "+NAME+"='"+VALUE+"', timeout=3, apiKeyCount=2}");
  show("record of Lombok", "Settings(user=ann, "+NAME+"="+VALUE+", timeout=3, apiKeyCount=2, tokenType=bearer)");
  show("record of Guava", "Settings{user=ann, "+NAME+"="+VALUE+", timeout=3, apiKeyCount=2, tokenType=bearer}");
  show("commons lang", "Settings@1b2c3d4e[user=ann,"+NAME+"="+VALUE+",timeout=3,apiKeyCount=2]");
  show("record in JSON", "{\"msg\":\""+s+"\"}");
  show("string joiner", new StringJoiner(", ", "Settings[", "]").add("user='ann'").add(NAME+"='"+VALUE+"'").add("timeout=3").toString());
 }
}
